import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from "../../api/types/core/v1.ts";
import { type FieldError, GoStruct, invalid, required } from "../../schema/index.ts";
import { internalForm } from "./internal-form.ts";

/** What a quota may count within each scope. */
const pods = ["pods"];
const running = [...pods, "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const counted: ReadonlyMap<string, readonly string[]> = new Map([
  ["BestEffort", pods],
  ["NotBestEffort", running],
  ["Terminating", running],
  ["NotTerminating", running],
  ["PriorityClass", running],
  ["CrossNamespacePodAffinity", running],
  ["VolumeAttributesClass", ["persistentvolumeclaims", "requests.storage"]],
]);

/** What is wrong with which objects a quota is about. `standard` are the resources that need no name of their own. */
export function quotaScopeErrors(spec: ResourceQuotaSpec, standard: ReadonlySet<string>): FieldError[] {
  const { scopes = [], scopeSelector } = spec;
  const resources = Object.keys(spec.hard ?? {}).filter((name) => standard.has(name));
  const requirements = scopeSelector?.matchExpressions ?? [];
  const field = "spec.scopeSelector.matchExpressions";
  const selector = new GoStruct(internalForm("ScopeSelector", scopeSelector));
  return [
    ...scopes.flatMap((scope) => [
      ...(counted.has(scope) ? [] : [invalid("spec.scopes", scopes, "unsupported scope")]),
      ...uncounted(scope, resources).map(() => invalid("spec.scopes", scopes, notCounted)),
    ]),
    ...clashes(scopes).map(() => invalid("spec.scopes", scopes, "conflicting scopes")),
    ...requirements.flatMap((requirement) => [
      ...requirementErrors(requirement, field),
      ...uncounted(requirement.scopeName, resources).map(() => invalid(field, selector, notCounted)),
    ]),
    ...clashes(requirements.map(({ scopeName }) => scopeName)).map(() =>
      invalid(field, spec.scopes ?? null, "conflicting scopes"),
    ),
  ];
}

const notCounted = "unsupported scope applied to resource";

function uncounted(scope: string, resources: readonly string[]): readonly string[] {
  const known = counted.get(scope);
  return known ? resources.filter((resource) => !known.includes(resource)) : [];
}

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

function clashes(scopes: readonly string[]): unknown[] {
  return opposites.filter(([one, other]) => scopes.includes(one) && scopes.includes(other));
}

/** Scopes that a Pod is in or not. */
const plain: ReadonlySet<string> = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
]);

const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function requirementErrors(requirement: ScopedResourceSelectorRequirement, field: string): FieldError[] {
  const { scopeName, operator, values = [] } = requirement;
  return [
    ...(counted.has(scopeName) ? [] : [invalid(`${field}.scopeName`, scopeName, "unsupported scope")]),
    ...(plain.has(scopeName) && operator !== "Exists"
      ? [invalid(`${field}.operator`, operator, mustExist)]
      : []),
    ...valueErrors(operator, values, field),
  ];
}

function valueErrors(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn": {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length > 0 ? [] : [required(`${field}.values`, detail)];
    }
    case "Exists":
    case "DoesNotExist": {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length === 0 ? [] : [invalid(`${field}.values`, values, detail)];
    }
    default:
      return [invalid(`${field}.operator`, operator, "not a valid selector operator")];
  }
}
