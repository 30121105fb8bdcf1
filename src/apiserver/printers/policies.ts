import type {
  DeepPartial,
  IntOrString,
  KubeObject,
  LabelSelector,
  LabelSelectorRequirement,
} from "../../api/index.ts";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "../../api/types/admissionregistration/v1.ts";
import type { FlowSchema, PriorityLevelConfiguration } from "../../api/types/flowcontrol/v1.ts";
import type { PodDisruptionBudget } from "../../api/types/policy/v1.ts";
import type { ClusterRoleBinding, RoleBinding, Subject } from "../../api/types/rbac/v1.ts";
import {
  age,
  type Column,
  integer,
  name,
  type Printable,
  type Printer,
  type Printers,
  printer,
  text,
  wide,
} from "./column.ts";

const webhookPrinter: Printer = printer<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
  name,
  integer("Webhooks", ({ webhooks }) => (webhooks ?? []).length),
  age,
);

type Binding = MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding;

const policyBindingPrinter: Printer = printer<Binding>(
  name,
  text("PolicyName", ({ spec }) => spec?.policyName ?? ""),
  text("ParamRef", ({ spec }) => paramRefText(spec?.paramRef)),
  age,
);

export const admissionregistration: Printers = {
  MutatingWebhookConfiguration: webhookPrinter,
  ValidatingWebhookConfiguration: webhookPrinter,
  MutatingAdmissionPolicyBinding: policyBindingPrinter,
  ValidatingAdmissionPolicyBinding: policyBindingPrinter,
  ValidatingAdmissionPolicy: printer<ValidatingAdmissionPolicy>(
    name,
    integer("Validations", ({ spec }) => (spec?.validations ?? []).length),
    text("ParamKind", paramKindOf),
    age,
  ),
  MutatingAdmissionPolicy: printer<MutatingAdmissionPolicy>(
    name,
    integer("Mutations", ({ spec }) => (spec?.mutations ?? []).length),
    text("ParamKind", paramKindOf),
    age,
  ),
};

type Policy = Printable<KubeObject & { readonly spec?: { readonly paramKind?: Partial<KubeObject> } }>;

function paramKindOf({ spec }: Policy): string {
  const kind = spec?.paramKind;
  return kind ? `${kind.apiVersion ?? ""}/${kind.kind ?? ""}` : "<unset>";
}

type ParamRef = NonNullable<Printable<ValidatingAdmissionPolicyBinding>["spec"]>["paramRef"];

function paramRefText(ref: ParamRef): string {
  if (!ref) return "<unset>";
  if (ref.name) return ref.namespace ? `${ref.namespace}/${ref.name}` : `*/${ref.name}`;
  return ref.selector ? goSelector(ref.selector) : "<unset>";
}

/** Formats a selector as Go prints the struct, which is what kube-apiserver shows. */
function goSelector({ matchLabels, matchExpressions }: DeepPartial<LabelSelector>): string {
  const labels = Object.entries(matchLabels ?? {})
    .sort()
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = (matchExpressions ?? []).map((each) => `${goRequirement(each)},`);
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}

function goRequirement({ key, operator, values }: DeepPartial<LabelSelectorRequirement>): string {
  return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(" ")}],}`;
}

type Level = Printable<PriorityLevelConfiguration>;

export const flowcontrol: Printers = {
  FlowSchema: printer<FlowSchema>(
    name,
    text("PriorityLevel", ({ spec }) => spec?.priorityLevelConfiguration?.name ?? ""),
    text("MatchingPrecedence", ({ spec }) => spec?.matchingPrecedence ?? 0),
    text("DistinguisherMethod", ({ spec }) => spec?.distinguisherMethod?.type ?? "<none>"),
    age,
    text("MissingPL", danglingStatus),
  ),
  PriorityLevelConfiguration: printer<PriorityLevelConfiguration>(
    name,
    text("Type", ({ spec }) => spec?.type ?? ""),
    text("NominalConcurrencyShares", ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? "<none>"),
    queuingColumn("Queues", "queues"),
    queuingColumn("HandSize", "handSize"),
    queuingColumn("QueueLengthLimit", "queueLengthLimit"),
    age,
  ),
};

function danglingStatus({ status }: Printable<FlowSchema>): string {
  return (status?.conditions ?? []).find(({ type }) => type === "Dangling")?.status ?? "?";
}

function queuingColumn(title: string, field: "queues" | "handSize" | "queueLengthLimit"): Column<Level> {
  return text(title, ({ spec }) => spec?.limited?.limitResponse?.queuing?.[field] ?? "<none>");
}

export const policy: Printers = {
  PodDisruptionBudget: printer<PodDisruptionBudget>(
    name,
    text("Min Available", ({ spec }) => amount(spec?.minAvailable)),
    text("Max Unavailable", ({ spec }) => amount(spec?.maxUnavailable)),
    integer("Allowed Disruptions", ({ status }) => status?.disruptionsAllowed ?? 0),
    age,
  ),
};

function amount(value: IntOrString | undefined): string {
  return value === undefined ? "N/A" : `${value}`;
}

const roleBindingPrinter: Printer = printer<RoleBinding | ClusterRoleBinding>(
  name,
  text("Role", ({ roleRef }) => `${roleRef?.kind ?? ""}/${roleRef?.name ?? ""}`),
  age,
  wide("Users", ({ subjects }) => subjectsOf(subjects, "User")),
  wide("Groups", ({ subjects }) => subjectsOf(subjects, "Group")),
  wide("ServiceAccounts", ({ subjects }) => subjectsOf(subjects, "ServiceAccount")),
);

export const rbac: Printers = { RoleBinding: roleBindingPrinter, ClusterRoleBinding: roleBindingPrinter };

function subjectsOf(subjects: ReadonlyArray<DeepPartial<Subject>> | undefined, subjectKind: string): string {
  const matching = (subjects ?? []).filter(({ kind }) => kind === subjectKind);
  return matching.map((subject) => subjectName(subject)).join(", ");
}

function subjectName({ kind, namespace, name: subjectText = "" }: DeepPartial<Subject>): string {
  return kind === "ServiceAccount" ? `${namespace ?? ""}/${subjectText}` : subjectText;
}
