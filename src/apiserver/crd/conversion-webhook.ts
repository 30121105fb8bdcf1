import type { KubeObject } from "../../api/index.ts";
import type { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import { uuid } from "../../base/index.ts";
import {
  applyDefaults,
  type CompiledSchema,
  DecodeError,
  decodeCustom,
  writeJson,
} from "../../schema/index.ts";
import type { Converter } from "../types/resource.ts";
import { unknownError } from "../types/status-error.ts";
import type { Engine } from "../verbs/engine.ts";
import { WebhookCallError } from "../webhooks/call-error.ts";
import type { ClientConfig } from "../webhooks/client-config.ts";
import type { ReviewKind } from "../webhooks/review-response.ts";
import { convertedObjects } from "./conversion-response.ts";

/** Sends objects to the conversion webhook of a definition. Returns them in another version, in the same order. */
export type ConversionWebhook = (
  objects: readonly KubeObject[],
  apiVersion: string,
) => Promise<readonly KubeObject[]>;

const timeoutMs = 30_000;

/** Returns the conversion webhook of a definition, or `undefined` if it has none. */
export function conversionWebhook(
  { webhookClient, rng }: Engine,
  { spec }: CustomResourceDefinition,
): ConversionWebhook | undefined {
  const { strategy, webhook } = spec.conversion ?? {};
  if (strategy !== "Webhook" || !webhook?.clientConfig) return undefined;
  const config = webhook.clientConfig as ClientConfig; // both kinds of client configurations have the same fields
  const version = webhook.conversionReviewVersions.find((one) => one === "v1" || one === "v1beta1");
  return async (objects, desiredAPIVersion) => {
    if (!version) throw unknownError("no supported conversion review versions");
    const review: ReviewKind = { group: "apiextensions.k8s.io", version, kind: "ConversionReview" };
    const uid = uuid(rng);
    const body = writeJson({
      kind: review.kind,
      apiVersion: `${review.group}/${version}`,
      request: { uid, desiredAPIVersion, objects },
      response: { uid: "", convertedObjects: null, result: { metadata: {} } },
    });
    try {
      const response = await webhookClient.post(config, { body, timeoutMs, review });
      return convertedObjects(response, { uid, version, objects, desiredAPIVersion });
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      throw unknownError(`conversion webhook for ${describedKind(objects)} ${failureText(error)}`);
    }
  };
}

/** Errors of the converted objects say what was returned; all others are failures. */
function failureText({ message }: WebhookCallError): string {
  return message.startsWith("returned ") ? message : `failed: ${message}`;
}

function describedKind([first]: readonly KubeObject[]): string {
  return `${first?.apiVersion ?? ""}, Kind=${first?.kind ?? ""}`;
}

interface Versions {
  readonly group: string;
  /** The version of the resource. */
  readonly version: { readonly name: string };
  /** The version in which objects are stored. */
  readonly storage: { readonly name: string };
  /** The schemas by API version. */
  readonly schemas: ReadonlyMap<string, () => CompiledSchema>;
}

/**
 * Returns the converter of one version. Stored objects have the defaults of their own version. They are converted, and
 * then pruned by the schema of the resource.
 */
export function converterOf(webhook: ConversionWebhook, versions: Versions): Converter {
  const { group, version, storage } = versions;
  const schemas = new Map<string, CompiledSchema>();
  const schemaOf = (apiVersion: string): CompiledSchema | undefined => {
    const schema = schemas.get(apiVersion) ?? versions.schemas.get(apiVersion)?.();
    if (schema) schemas.set(apiVersion, schema);
    return schema;
  };
  const [own, stored] = [`${group}/${version.name}`, `${group}/${storage.name}`];
  const convert = async (objects: readonly KubeObject[], apiVersion: string): Promise<KubeObject[]> => {
    const converted = await webhook(objects, apiVersion);
    return converted.map((object) => pruned(object, schemaOf(apiVersion)));
  };
  return {
    fromStorage: (objects) =>
      convert(
        objects.map((object) => completed(object, schemaOf(object.apiVersion))),
        own,
      ),
    async toStorage(object) {
      if (own === stored) return object;
      const { resourceVersion: _, ...metadata } = object.metadata;
      const [converted = object] = await convert([{ ...object, metadata } as KubeObject], stored);
      return completed(converted, schemaOf(stored));
    },
  };
}

function completed(object: KubeObject, schema: CompiledSchema | undefined): KubeObject {
  return schema ? (applyDefaults(pruned(object, schema), schema) as KubeObject) : object;
}

function pruned(object: KubeObject, schema: CompiledSchema | undefined): KubeObject {
  if (!schema) return object;
  try {
    return decodeCustom(object, schema).value as KubeObject;
  } catch (error) {
    if (error instanceof DecodeError) throw unknownError(error.message);
    throw error;
  }
}
