import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from "../../api/types/rbac/v1.ts";
import { equal, type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { entry, type KindEntry, type KindStrategy } from "./kind-strategy.ts";
import { selectorErrors } from "./selector-errors.ts";
import { missing, nameErrors, neededName } from "./value-errors.ts";

const group = "rbac.authorization.k8s.io";

export const rbac: readonly KindEntry[] = [
  entry<Role>(`${group}/Role`, {
    name: "path-segment",
    createOnUpdate: true,
    validate: ({ rules }) => ruleListErrors(rules, "namespaced rules cannot apply to non-resource URLs"),
  }),
  entry<ClusterRole>(`${group}/ClusterRole`, {
    name: "path-segment",
    createOnUpdate: true,
    validate: ({ rules, aggregationRule }) => [
      ...ruleListErrors(rules, undefined),
      ...(aggregationRule ? aggregationErrors(aggregationRule) : []),
    ],
  }),
  entry<RoleBinding>(`${group}/RoleBinding`, binding<RoleBinding>(["Role", "ClusterRole"])),
  entry<ClusterRoleBinding>(`${group}/ClusterRoleBinding`, binding<ClusterRoleBinding>(["ClusterRole"])),
];

function binding<T extends RoleBinding | ClusterRoleBinding>(roles: readonly string[]): KindStrategy<T> {
  return {
    name: "path-segment",
    createOnUpdate: true,
    default({ roleRef, subjects = [] }) {
      if (roleRef) roleRef.apiGroup ||= group;
      for (const subject of subjects) defaultSubject(subject);
    },
    validate: ({ roleRef, subjects = [] }) => [
      ...roleErrors(roleRef, roles),
      ...subjects.flatMap((subject, at) => subjectErrors(subject, `subjects[${at}]`)),
    ],
    validateUpdate: ({ roleRef }, before) => roleChange(roleRef, before.roleRef),
  };
}

/** Accounts are of the core group, people and groups of people of this one. */
function defaultSubject(subject: Subject): void {
  if (subject.apiGroup || subject.kind === "ServiceAccount") return;
  if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup = group;
}

/** @param pathless why rules may not name paths, where they may not */
function ruleListErrors(
  rules: readonly PolicyRule[] | null | undefined,
  pathless: string | undefined,
): FieldError[] {
  return (rules ?? []).flatMap((rule, at) => [
    ...missing(rule.verbs, `rules[${at}].verbs`, "verbs must contain at least one value"),
    ...reachErrors(rule, `rules[${at}]`, pathless),
  ]);
}

function reachErrors(rule: PolicyRule, field: string, pathless: string | undefined): FieldError[] {
  const { nonResourceURLs: paths = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  if (paths.length > 0 && pathless !== undefined)
    return [invalid(`${field}.nonResourceURLs`, paths, pathless)];
  if (paths.length > 0) {
    const both = apiGroups.length + resources.length + resourceNames.length > 0;
    const detail = "rules cannot apply to both regular resources and non-resource URLs";
    return both ? [invalid(`${field}.nonResourceURLs`, paths, detail)] : [];
  }
  return [
    ...missing(apiGroups, `${field}.apiGroups`, "resource rules must supply at least one api group"),
    ...missing(resources, `${field}.resources`, "resource rules must supply at least one resource"),
  ];
}

function aggregationErrors({
  clusterRoleSelectors = [],
}: NonNullable<ClusterRole["aggregationRule"]>): FieldError[] {
  const field = "aggregationRule.clusterRoleSelectors";
  const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  if (clusterRoleSelectors.length === 0) return [required(field, detail)];
  return clusterRoleSelectors.flatMap((selector, at) => selectorErrors(selector, `${field}[${at}]`));
}

function roleErrors({ apiGroup, kind, name }: RoleRef, roles: readonly string[]): FieldError[] {
  return [
    ...(apiGroup === group ? [] : [notSupported("roleRef.apiGroup", apiGroup, [group])]),
    ...(roles.includes(kind) ? [] : [notSupported("roleRef.kind", kind, roles)]),
    ...neededName("path-segment", name, "roleRef.name"),
  ];
}

function subjectErrors(subject: Subject, field: string): FieldError[] {
  return [...missing(subject.name, `${field}.name`), ...subjectKindErrors(subject, field)];
}

function subjectKindErrors({ kind, name, apiGroup = "" }: Subject, field: string): FieldError[] {
  switch (kind) {
    case "ServiceAccount":
      return [
        ...(name ? nameErrors("dns-subdomain", name, `${field}.name`) : []),
        ...(apiGroup === "" ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [""])]),
      ];
    case "User":
    case "Group":
      return apiGroup === group ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [group])];
    default:
      return [notSupported(`${field}.kind`, kind ?? "", ["ServiceAccount", "User", "Group"])];
  }
}

function roleChange(role: RoleRef, before: RoleRef): FieldError[] {
  if (equal(role, before)) return [];
  const value = { APIGroup: role.apiGroup, Kind: role.kind, Name: role.name };
  return [invalid("roleRef", value, "cannot change roleRef")];
}
