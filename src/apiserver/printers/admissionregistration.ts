import type { DeepPartial, KubeObject, LabelSelector, LabelSelectorRequirement } from "../../api/index.ts";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "../../api/types/admissionregistration/v1.ts";
import { age, integer, name, type Printable, type Printer, type Printers, printer, text } from "./column.ts";

const webhookPrinter: Printer = printer<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
  name,
  integer("Webhooks", ({ webhooks }) => (webhooks ?? []).length),
  age,
);

type Binding = MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding;

const bindingPrinter: Printer = printer<Binding>(
  name,
  text("PolicyName", ({ spec }) => spec?.policyName ?? ""),
  text("ParamRef", ({ spec }) => paramRefText(spec?.paramRef)),
  age,
);

export const admissionregistration: Printers = {
  MutatingWebhookConfiguration: webhookPrinter,
  ValidatingWebhookConfiguration: webhookPrinter,
  MutatingAdmissionPolicyBinding: bindingPrinter,
  ValidatingAdmissionPolicyBinding: bindingPrinter,
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
