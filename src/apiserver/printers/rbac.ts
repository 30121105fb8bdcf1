import type { DeepPartial } from "../../api/index.ts";
import type { ClusterRoleBinding, RoleBinding, Subject } from "../../api/types/rbac/v1.ts";
import { age, name, type Printer, type Printers, printer, text, wide } from "./column.ts";

const bindingPrinter: Printer = printer<RoleBinding | ClusterRoleBinding>(
  name,
  text("Role", ({ roleRef }) => `${roleRef?.kind ?? ""}/${roleRef?.name ?? ""}`),
  age,
  wide("Users", ({ subjects }) => subjectsOf(subjects, "User")),
  wide("Groups", ({ subjects }) => subjectsOf(subjects, "Group")),
  wide("ServiceAccounts", ({ subjects }) => subjectsOf(subjects, "ServiceAccount")),
);

export const rbac: Printers = { RoleBinding: bindingPrinter, ClusterRoleBinding: bindingPrinter };

function subjectsOf(subjects: ReadonlyArray<DeepPartial<Subject>> | undefined, subjectKind: string): string {
  const matching = (subjects ?? []).filter(({ kind }) => kind === subjectKind);
  return matching.map((subject) => subjectName(subject)).join(", ");
}

function subjectName({ kind, namespace, name: subjectText = "" }: DeepPartial<Subject>): string {
  return kind === "ServiceAccount" ? `${namespace ?? ""}/${subjectText}` : subjectText;
}
