import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from "../../api/types/core/v1.ts";
import { type FieldError, GoStruct, invalid, required } from "../../schema/index.ts";
import { internalForm } from "./internal-form.ts";

/** The resources that a quota may count within each scope. */
const pods = ["pods"];
const podResources = [
  ...pods,
  "cpu",
  "memory",
  "limits.cpu",
  "limits.memory",
  "requests.cpu",
  "requests.memory",
];
const resourcesByScope: ReadonlyMap<string, readonly string[]> = new Map([
  ["BestEffort", pods],
  ["NotBestEffort", podResources],
  ["Terminating", podResources],
  ["NotTerminating", podResources],
  ["PriorityClass", podResources],
  ["CrossNamespacePodAffinity", podResources],
  ["VolumeAttributesClass", ["persistentvolumeclaims", "requests.storage"]],
]);

/** Returns the errors in the scopes of a quota. `standard` has the standard resources. */
export function quotaScopeErrors(spec: ResourceQuotaSpec, standard: ReadonlySet<string>): FieldError[] {
  const { scopes = [], scopeSelector } = spec;
  const resources = Object.keys(spec.hard ?? {}).filter((name) => standard.has(name));
  const requirements = scopeSelector?.matchExpressions ?? [];
  const field = "spec.scopeSelector.matchExpressions";
  const selector = new GoStruct(internalForm("ScopeSelector", scopeSelector));
  return [
    ...scopes.flatMap((scope) => [
      ...(resourcesByScope.has(scope) ? [] : [invalid("spec.scopes", scopes, "unsupported scope")]),
      ...unsupportedResources(scope, resources).map(() => invalid("spec.scopes", scopes, unsupportedDetail)),
    ]),
    ...conflicts(scopes).map(() => invalid("spec.scopes", scopes, "conflicting scopes")),
    ...requirements.flatMap((requirement) => [
      ...requirementErrors(requirement, field),
      ...unsupportedResources(requirement.scopeName, resources).map(() =>
        invalid(field, selector, unsupportedDetail),
      ),
    ]),
    ...conflicts(requirements.map(({ scopeName }) => scopeName)).map(() =>
      invalid(field, spec.scopes ?? null, "conflicting scopes"),
    ),
  ];
}

const unsupportedDetail = "unsupported scope applied to resource";

function unsupportedResources(scope: string, resources: readonly string[]): readonly string[] {
  const supported = resourcesByScope.get(scope);
  return supported ? resources.filter((resource) => !supported.includes(resource)) : [];
}

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

function conflicts(scopes: readonly string[]): unknown[] {
  return opposites.filter(([one, other]) => scopes.includes(one) && scopes.includes(other));
}

/** Scopes whose only operator is Exists. */
const existsOnly: ReadonlySet<string> = new Set([
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
    ...(resourcesByScope.has(scopeName)
      ? []
      : [invalid(`${field}.scopeName`, scopeName, "unsupported scope")]),
    ...(existsOnly.has(scopeName) && operator !== "Exists"
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
