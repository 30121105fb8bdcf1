import type { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import { type CrdSchema, unrecognizedFormats } from "../../schema/index.ts";

/** Returns the warnings for a definition that is accepted. */
export function definitionWarnings({ spec }: CustomResourceDefinition): string[] {
  return [...conversionWarnings(spec), ...schemaWarnings(spec)];
}

function conversionWarnings({ conversion }: CustomResourceDefinition["spec"]): string[] {
  if (conversion?.strategy !== "Webhook") return [];
  return ["spec.conversion has a webhook, which this server does not call: only apiVersion is converted"];
}

function schemaWarnings({ versions }: CustomResourceDefinition["spec"]): string[] {
  return versions.flatMap(({ schema }, index) => {
    const openApi = schema?.openAPIV3Schema as CrdSchema | undefined;
    if (!openApi) return [];
    const at = `spec.versions[${index}].schema.openAPIV3Schema`;
    return [
      ...(hasValidationRules(openApi)
        ? [`${at} has x-kubernetes-validations, which this server stores but does not evaluate`]
        : []),
      ...unrecognizedFormats(openApi).map((format) => `unrecognized format "${format}"`),
    ];
  });
}

function hasValidationRules(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  return Object.entries(part).some(
    ([name, inner]) => name === "x-kubernetes-validations" || hasValidationRules(inner),
  );
}
