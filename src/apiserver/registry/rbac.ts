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
import { type KindEntry, type KindStrategy, kindEntry } from "./kind-strategy.ts";
import { selectorErrors } from "./selector-errors.ts";
import { nameErrors, requiredErrors, requiredNameErrors } from "./value-errors.ts";

const group = "rbac.authorization.k8s.io";

export const rbac: readonly KindEntry[] = [
  kindEntry<Role>(`${group}/Role`, {
    name: "path-segment",
    createOnUpdate: true,
    validate: ({ rules }) => ruleListErrors(rules, "namespaced rules cannot apply to non-resource URLs"),
  }),
  kindEntry<ClusterRole>(`${group}/ClusterRole`, {
    name: "path-segment",
    createOnUpdate: true,
    validate: ({ rules, aggregationRule }) => [
      ...ruleListErrors(rules, undefined),
      ...(aggregationRule ? aggregationErrors(aggregationRule) : []),
    ],
  }),
  kindEntry<RoleBinding>(`${group}/RoleBinding`, binding<RoleBinding>(["Role", "ClusterRole"])),
  kindEntry<ClusterRoleBinding>(`${group}/ClusterRoleBinding`, binding<ClusterRoleBinding>(["ClusterRole"])),
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
      ...subjects.flatMap((subject, index) => subjectErrors(subject, `subjects[${index}]`)),
    ],
    validateUpdate: ({ roleRef }, before) => roleUpdateErrors(roleRef, before.roleRef),
  };
}

/** Sets the API group of users and groups. Service accounts are in the core group. */
function defaultSubject(subject: Subject): void {
  if (subject.apiGroup || subject.kind === "ServiceAccount") return;
  if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup = group;
}

/** @param noUrlsDetail The message if rules may not have non-resource URLs, otherwise `undefined`. */
function ruleListErrors(
  rules: readonly PolicyRule[] | null | undefined,
  noUrlsDetail: string | undefined,
): FieldError[] {
  return (rules ?? []).flatMap((rule, index) => [
    ...requiredErrors(rule.verbs, `rules[${index}].verbs`, "verbs must contain at least one value"),
    ...ruleScopeErrors(rule, `rules[${index}]`, noUrlsDetail),
  ]);
}

function ruleScopeErrors(rule: PolicyRule, field: string, noUrlsDetail: string | undefined): FieldError[] {
  const { nonResourceURLs: paths = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  if (paths.length > 0 && noUrlsDetail !== undefined)
    return [invalid(`${field}.nonResourceURLs`, paths, noUrlsDetail)];
  if (paths.length > 0) {
    const both = apiGroups.length + resources.length + resourceNames.length > 0;
    const detail = "rules cannot apply to both regular resources and non-resource URLs";
    return both ? [invalid(`${field}.nonResourceURLs`, paths, detail)] : [];
  }
  return [
    ...requiredErrors(apiGroups, `${field}.apiGroups`, "resource rules must supply at least one api group"),
    ...requiredErrors(resources, `${field}.resources`, "resource rules must supply at least one resource"),
  ];
}

function aggregationErrors({
  clusterRoleSelectors = [],
}: NonNullable<ClusterRole["aggregationRule"]>): FieldError[] {
  const field = "aggregationRule.clusterRoleSelectors";
  const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  if (clusterRoleSelectors.length === 0) return [required(field, detail)];
  return clusterRoleSelectors.flatMap((selector, index) => selectorErrors(selector, `${field}[${index}]`));
}

function roleErrors({ apiGroup, kind, name }: RoleRef, roles: readonly string[]): FieldError[] {
  return [
    ...(apiGroup === group ? [] : [notSupported("roleRef.apiGroup", apiGroup, [group])]),
    ...(roles.includes(kind) ? [] : [notSupported("roleRef.kind", kind, roles)]),
    ...requiredNameErrors("path-segment", name, "roleRef.name"),
  ];
}

function subjectErrors(subject: Subject, field: string): FieldError[] {
  return [...requiredErrors(subject.name, `${field}.name`), ...subjectKindErrors(subject, field)];
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

function roleUpdateErrors(role: RoleRef, before: RoleRef): FieldError[] {
  if (equal(role, before)) return [];
  const value = { APIGroup: role.apiGroup, Kind: role.kind, Name: role.name };
  return [invalid("roleRef", value, "cannot change roleRef")];
}
