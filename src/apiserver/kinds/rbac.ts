import type {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from "../../api/types/rbac/v1.ts";
import { equal, type FieldError, invalid } from "../../schema/index.ts";
import { entry, type KindEntry, type KindStrategy } from "./kind-strategy.ts";

const group = "rbac.authorization.k8s.io";

const binding: KindStrategy<RoleBinding | ClusterRoleBinding> = {
  name: "path-segment",
  createOnUpdate: true,
  default({ roleRef, subjects = [] }) {
    if (roleRef) roleRef.apiGroup ||= group;
    for (const subject of subjects) defaultSubject(subject);
  },
  validateUpdate: ({ roleRef }, before) => roleChange(roleRef, before.roleRef),
};

export const rbac: readonly KindEntry[] = [
  entry<Role>(`${group}/Role`, { name: "path-segment", createOnUpdate: true }),
  entry<ClusterRole>(`${group}/ClusterRole`, { name: "path-segment", createOnUpdate: true }),
  entry<RoleBinding>(`${group}/RoleBinding`, binding),
  entry<ClusterRoleBinding>(`${group}/ClusterRoleBinding`, binding),
];

/** Accounts are of the core group, people and groups of people of this one. */
function defaultSubject(subject: Subject): void {
  if (subject.apiGroup || subject.kind === "ServiceAccount") return;
  subject.apiGroup = group;
}

function roleChange(role: RoleRef, before: RoleRef): FieldError[] {
  if (equal(role, before)) return [];
  const value = { APIGroup: role.apiGroup, Kind: role.kind, Name: role.name };
  return [invalid("roleRef", value, "cannot change roleRef")];
}
