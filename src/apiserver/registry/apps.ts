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
import { amountErrors, isNone, moreThanAll } from "./amount-errors.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { namedTemplateWarnings } from "./pod-warnings.ts";
import { replicaStatusErrors } from "./replica-status-errors.ts";
import { ownSelectorErrors, templateErrors, templateLabels } from "./template-errors.ts";
import { countErrors, immutableErrors } from "./value-errors.ts";

export const apps: readonly KindEntry[] = [
  entry<Deployment>("apps/Deployment", {
    /** Annotations count: those of the object are copied to its ReplicaSets. */
    generation: (object, before) =>
      !equal(object.spec, before.spec) || !equal(object.metadata.annotations, before.metadata.annotations),
    /** Annotations stay writable: the controller writes the revision with the status. */
    statusKeeps: ["spec", "metadata.labels"],
    tellsEmpty: templateLabels,
    default({ spec }) {
      spec.replicas ??= 1;
      spec.revisionHistoryLimit ??= 10;
      spec.progressDeadlineSeconds ??= 600;
      spec.strategy ??= {};
      defaultRollout(spec.strategy);
      defaultTemplate(spec.template);
    },
    validate: deploymentErrors,
    validateUpdate: selectorChange,
    validateStatus: replicaStatusErrors("updatedReplicas"),
    warnings: namedTemplateWarnings,
  }),
  entry<ReplicaSet>("apps/ReplicaSet", {
    generation: "spec",
    tellsEmpty: templateLabels,
    default({ spec }) {
      spec.replicas ??= 1;
      defaultTemplate(spec.template);
    },
    validate: ({ spec }) => [
      ...countErrors(spec.replicas, "spec.replicas"),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
      ...ownSelectorErrors(spec, "deployment"),
      ...templateErrors(spec, "ReplicaSet"),
    ],
    validateUpdate: selectorChange,
    validateStatus: replicaStatusErrors("fullyLabeledReplicas"),
    warnings: namedTemplateWarnings,
  }),
  entry<ControllerRevision>("apps/ControllerRevision", {
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
    ...ownSelectorErrors(spec, "deployment"),
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
  const nothing = isNone(maxUnavailable) && isNone(maxSurge);
  return [
    ...amountErrors(maxUnavailable, `${field}.maxUnavailable`, "uncapped"),
    ...amountErrors(maxSurge, `${field}.maxSurge`, "uncapped"),
    ...(nothing
      ? [invalid(`${field}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...moreThanAll(maxUnavailable, `${field}.maxUnavailable`),
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

interface Selecting {
  readonly spec: { readonly selector?: unknown };
}

function selectorChange({ spec }: Selecting, { spec: before }: Selecting): FieldError[] {
  return equal(spec.selector, before.selector)
    ? []
    : immutableErrors("spec.selector", new GoStruct(spec.selector));
}
