import type { Namespace, ReplicationController, ServiceAccount } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { namedTemplateWarnings, podWarnings } from "./pod-warnings.ts";
import { replicaStatusErrors } from "./replica-status-errors.ts";
import { podTemplateErrors } from "./template-errors.ts";
import { countErrors, requiredErrors } from "./value-errors.ts";

const unsupported = (field: string): string => `field label not supported: ${field}`;

export const core: readonly KindEntry[] = [
  kindEntry<Namespace>("/Namespace", {
    name: "dns-label",
    returnsDeleted: true,
    default({ metadata, status }) {
      if (status) status.phase ??= "Active";
      if (!metadata.name) return;
      metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
    },
    deletion: {
      held: ({ spec }) => (spec?.finalizers ?? []).length > 0,
      mark(namespace, now) {
        namespace.metadata.deletionTimestamp = now;
        namespace.status = { ...namespace.status, phase: "Terminating" };
      },
    },
    prepareCreate(namespace) {
      const finalizers = namespace.spec?.finalizers ?? [];
      const missingFinalizers = finalizers.includes("kubernetes") ? [] : ["kubernetes"];
      namespace.spec = { ...namespace.spec, finalizers: [...finalizers, ...missingFinalizers] };
      namespace.metadata.labels = {
        ...namespace.metadata.labels,
        "kubernetes.io/metadata.name": namespace.metadata.name,
      };
      namespace.status = { phase: "Active" };
    },
    /** Only the finalize subresource removes finalizers. */
    prepareUpdate(namespace, before) {
      if (before.spec) namespace.spec = { ...namespace.spec, finalizers: before.spec.finalizers };
    },
    validate: ({ spec }) => (spec?.finalizers ?? []).flatMap(finalizerErrors),
    validateStatus: ({ metadata, status }) => phaseErrors(status?.phase ?? "", metadata.deletionTimestamp),
    parts: {
      finalize: { take: (namespace, before) => ({ ...namespace, status: before.status }) },
    },
    fields: { "status.phase": ({ status }) => status?.phase ?? "" },
    unknownField: unsupported,
  }),
  kindEntry<ServiceAccount>("/ServiceAccount", { returnsDeleted: true }),
  kindEntry<ReplicationController>("/ReplicationController", {
    generation: "spec",
    orphansByDefault: true,
    default({ spec, metadata }) {
      if (!spec) return;
      spec.replicas ??= 1;
      if (!spec.template) return;
      if (spec.template.spec) defaultPodSpec(spec.template.spec);
      const labels = spec.template.metadata?.labels;
      spec.selector ??= labels;
      metadata.labels ??= labels;
    },
    validate: ({ spec }) => controllerErrors(spec ?? {}),
    validateStatus: replicaStatusErrors("fullyLabeledReplicas"),
    warnings: controllerWarnings,
    fields: { "status.replicas": ({ status }) => String(status?.replicas ?? 0) },
    unknownField: unsupported,
  }),
];

/** Returns the warnings. On update, kube-apiserver checks the old object. */
function controllerWarnings(controller: ReplicationController, before?: ReplicationController): string[] {
  if (!before) return namedTemplateWarnings(controller);
  const unchanged = before.metadata.generation === controller.metadata.generation;
  return unchanged ? [] : podWarnings(before.spec?.template?.spec, "spec.template.spec");
}

function finalizerErrors(finalizer: string): FieldError[] {
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  const standard = finalizer === "kubernetes" || finalizer === "orphan" || finalizer === "foregroundDeletion";
  return [
    ...qualifiedNameProblems(finalizer).map((problem) => invalid("spec.finalizers", finalizer, problem)),
    ...(standard || finalizer.includes("/") ? [] : [invalid("spec.finalizers", finalizer, detail)]),
  ];
}

/** Returns an error unless the phase is Active before the deletion and Terminating after it. */
function phaseErrors(phase: string, deletionTimestamp: string | undefined): FieldError[] {
  const expected = deletionTimestamp ? "Terminating" : "Active";
  if (phase === expected) return [];
  const condition = deletionTimestamp ? "is not empty" : "is empty";
  return [invalid("status.Phase", phase, `may only be '${expected}' if \`deletionTimestamp\` ${condition}`)];
}

type ControllerSpec = NonNullable<ReplicationController["spec"]>;

function controllerErrors({
  minReadySeconds,
  replicas,
  selector = {},
  template,
}: ControllerSpec): FieldError[] {
  return [
    ...countErrors(minReadySeconds, "spec.minReadySeconds"),
    ...requiredErrors(selector, "spec.selector"),
    ...countErrors(replicas, "spec.replicas"),
    ...(template ? controllerTemplateErrors(selector, template) : [required("spec.template")]),
  ];
}

function controllerTemplateErrors(
  selector: Readonly<Record<string, string>>,
  template: NonNullable<ControllerSpec["template"]>,
): FieldError[] {
  const labels = template.metadata?.labels ?? {};
  const matches = Object.entries(selector).every(([key, value]) => labels[key] === value);
  const policy = template.spec?.restartPolicy ?? "Always";
  const detail = "`selector` does not match template `labels`";
  return [
    ...(matches ? [] : [invalid("spec.template.metadata.labels", labels, detail)]),
    ...podTemplateErrors(template, "spec.template"),
    ...(policy === "Always" ? [] : [notSupported("spec.template.spec.restartPolicy", policy, ["Always"])]),
  ];
}
