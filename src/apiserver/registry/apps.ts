import type {
  ControllerRevision,
  Deployment,
  DeploymentStrategy,
  ReplicaSet,
} from "../../api/types/apps/v1.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import {
  equal,
  type FieldError,
  forbidden,
  GoStruct,
  invalid,
  notSupported,
  required,
} from "../../schema/index.ts";
import { amountErrors, isZeroAmount, overHundredPercentErrors } from "./amount-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { namedTemplateWarnings } from "./pod-warnings.ts";
import { replicaStatusErrors } from "./replica-status-errors.ts";
import { requiredSelectorErrors, templateErrors, templateLabels } from "./template-errors.ts";
import { countErrors, immutableErrors } from "./value-errors.ts";

export const apps: readonly KindEntry[] = [
  kindEntry<Deployment>("apps/Deployment", {
    /** Annotations count because they are copied to the ReplicaSets. */
    generation: (object, before) =>
      !equal(object.spec, before.spec) || !equal(object.metadata.annotations, before.metadata.annotations),
    /** Annotations stay writable because the controller writes the revision with the status. */
    statusKeeps: ["spec", "metadata.labels"],
    distinguishesEmpty: templateLabels,
    default({ spec }) {
      spec.replicas ??= 1;
      spec.revisionHistoryLimit ??= 10;
      spec.progressDeadlineSeconds ??= 600;
      spec.strategy ??= {};
      defaultRollout(spec.strategy);
      defaultTemplate(spec.template);
    },
    validate: deploymentErrors,
    validateUpdate: selectorUpdateErrors,
    validateStatus: replicaStatusErrors("updatedReplicas"),
    warnings: namedTemplateWarnings,
  }),
  kindEntry<ReplicaSet>("apps/ReplicaSet", {
    generation: "spec",
    distinguishesEmpty: templateLabels,
    default({ spec }) {
      spec.replicas ??= 1;
      defaultTemplate(spec.template);
    },
    validate: ({ spec }) => [
      ...countErrors(spec.replicas, "spec.replicas"),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
      ...requiredSelectorErrors(spec, "deployment"),
      ...templateErrors(spec, "ReplicaSet"),
    ],
    validateUpdate: selectorUpdateErrors,
    validateStatus: replicaStatusErrors("fullyLabeledReplicas"),
    warnings: namedTemplateWarnings,
  }),
  kindEntry<ControllerRevision>("apps/ControllerRevision", {
    validate: ({ data, revision }) => [
      ...(data === undefined || data === null ? [required("data", "data is mandatory")] : []),
      ...countErrors(revision, "revision"),
    ],
    validateUpdate: ({ data }, before) => (equal(data, before.data) ? [] : immutableErrors("data", data)),
  }),
];

function defaultTemplate(template: PodTemplateSpec | undefined): void {
  if (template?.spec) defaultPodSpec(template.spec);
}

function defaultRollout(strategy: DeploymentStrategy): void {
  strategy.type ??= "RollingUpdate";
  if (strategy.type !== "RollingUpdate") return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= "25%";
  strategy.rollingUpdate.maxSurge ??= "25%";
}

function deploymentErrors({ spec }: Deployment): FieldError[] {
  return [
    ...countErrors(spec.replicas, "spec.replicas"),
    ...requiredSelectorErrors(spec, "deployment"),
    ...templateErrors(spec, "ReplicaSet"),
    ...rolloutErrors(spec.strategy ?? {}),
    ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
    ...countErrors(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
    ...deadlineErrors(spec),
  ];
}

function rolloutErrors({ type, rollingUpdate }: DeploymentStrategy): FieldError[] {
  if (type === "Recreate") {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate ? [forbidden("spec.strategy.rollingUpdate", detail)] : [];
  }
  if (type !== "RollingUpdate") {
    const value = new GoStruct({ Type: type, RollingUpdate: rollingUpdate ?? null });
    return [notSupported("spec.strategy", value, ["Recreate", "RollingUpdate"])];
  }
  if (!rollingUpdate)
    return [required("spec.strategy.rollingUpdate", "this should be defaulted and never be nil")];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const field = "spec.strategy.rollingUpdate";
  const bothZero = isZeroAmount(maxUnavailable) && isZeroAmount(maxSurge);
  return [
    ...amountErrors(maxUnavailable, `${field}.maxUnavailable`, "uncapped"),
    ...amountErrors(maxSurge, `${field}.maxSurge`, "uncapped"),
    ...(bothZero
      ? [invalid(`${field}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...overHundredPercentErrors(maxUnavailable, `${field}.maxUnavailable`),
  ];
}

function deadlineErrors({
  progressDeadlineSeconds: deadline,
  minReadySeconds = 0,
}: Deployment["spec"]): FieldError[] {
  const field = "spec.progressDeadlineSeconds";
  if (deadline === undefined) return [];
  return [
    ...countErrors(deadline, field),
    ...(deadline <= minReadySeconds
      ? [invalid(field, deadline, "must be greater than minReadySeconds")]
      : []),
  ];
}

interface HasSelector {
  readonly spec: { readonly selector?: unknown };
}

function selectorUpdateErrors({ spec }: HasSelector, { spec: before }: HasSelector): FieldError[] {
  return equal(spec.selector, before.selector)
    ? []
    : immutableErrors("spec.selector", new GoStruct(spec.selector));
}
