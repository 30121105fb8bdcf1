import type { RuleWithOperations } from "../../api/types/admissionregistration/v1.ts";
import type { AdmissionAttributes } from "./attributes.ts";

/** The attributes of a write that rules select. */
export type RuleSubject = Pick<AdmissionAttributes, "operation" | "subresource" | "namespace"> & {
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string };
};

/** Returns true if a rule of a webhook selects the write. */
export function ruleMatches(rule: RuleWithOperations, subject: RuleSubject): boolean {
  const { resource, operation } = subject;
  return (
    scopeMatches(rule, subject) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((one) => resourceMatches(one, subject))
  );
}

function includes(values: readonly string[] | undefined, value: string): boolean {
  return values?.some((one) => one === "*" || one === value) ?? false;
}

/** Returns true if the scope of the rule is that of the write. Namespaces are cluster-scoped. */
function scopeMatches({ scope = "*" }: RuleWithOperations, { resource, namespace }: RuleSubject): boolean {
  if (scope === "*") return true;
  const isNamespace = resource.group === "" && resource.plural === "namespaces";
  return (scope === "Cluster") === (isNamespace || namespace === "");
}

/**
 * Returns true for a resource such as `pods`, `pods/status`, `pods/*`, `*\/scale`. A plain name has no subresources.
 */
function resourceMatches(pattern: string, { resource, subresource }: RuleSubject): boolean {
  const slash = pattern.indexOf("/");
  const [name, part] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (name === "*" || name === resource.plural) && (part === "*" || part === subresource);
}
