import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  DeploymentStrategy,
  ReplicaSet,
  StatefulSet,
} from "../../api/types/apps/v1.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, invalid, notSupported, required } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { replicaStatusErrors } from "./replica-status-errors.ts";
import { countErrors, immutableErrors, ownSelectorErrors, templateErrors } from "./template-errors.ts";

export const apps: readonly KindEntry[] = [
  entry<Deployment>("apps/Deployment", {
    /** Annotations count: those of the object are copied to its ReplicaSets. */
    generation: (object, before) =>
      !equal(object.spec, before.spec) || !equal(object.metadata.annotations, before.metadata.annotations),
    /** Annotations stay writable: the controller writes the revision with the status. */
    statusKeeps: ["spec", "metadata.labels"],
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
    validateStatus: replicaStatusErrors,
  }),
  entry<ReplicaSet>("apps/ReplicaSet", {
    generation: "spec",
    default({ spec }) {
      spec.replicas ??= 1;
      defaultTemplate(spec.template);
    },
    validate: ({ spec }) => [
      ...countErrors(spec.replicas, "spec.replicas"),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
      ...ownSelectorErrors(spec, "deployment"),
      ...templateErrors(spec),
    ],
    validateUpdate: selectorChange,
    validateStatus: replicaStatusErrors,
  }),
  entry<StatefulSet>("apps/StatefulSet", {
    generation: "spec",
    default({ spec }) {
      spec.replicas ??= 1;
      spec.revisionHistoryLimit ??= 10;
      spec.podManagementPolicy ??= "OrderedReady";
      spec.persistentVolumeClaimRetentionPolicy ??= {};
      spec.persistentVolumeClaimRetentionPolicy.whenDeleted ??= "Retain";
      spec.persistentVolumeClaimRetentionPolicy.whenScaled ??= "Retain";
      spec.updateStrategy ??= {};
      spec.updateStrategy.type ??= "RollingUpdate";
      if (spec.updateStrategy.type === "RollingUpdate") {
        spec.updateStrategy.rollingUpdate ??= {};
        spec.updateStrategy.rollingUpdate.partition ??= 0;
      }
      for (const claim of spec.volumeClaimTemplates ?? []) {
        claim.apiVersion ||= "v1";
        claim.kind ||= "PersistentVolumeClaim";
        claim.spec.volumeMode ??= "Filesystem";
        claim.status = { phase: "Pending" };
      }
      defaultTemplate(spec.template);
    },
    validate: ({ spec }) => [
      ...countErrors(spec.replicas, "spec.replicas"),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
      ...ownSelectorErrors(spec, "statefulset"),
      ...templateErrors(spec),
    ],
    prepareCreate(set) {
      set.status = { replicas: 0, availableReplicas: 0 };
    },
    validateUpdate: statefulSetChange,
  }),
  entry<DaemonSet>("apps/DaemonSet", {
    generation: "spec",
    /** Older versions of the API called it `spec.templateGeneration`. */
    prepareCreate({ metadata }) {
      metadata.annotations = { ...metadata.annotations, "deprecated.daemonset.template.generation": "1" };
    },
    default({ spec }) {
      spec.revisionHistoryLimit ??= 10;
      spec.updateStrategy ??= {};
      spec.updateStrategy.type ??= "RollingUpdate";
      if (spec.updateStrategy.type === "RollingUpdate") {
        spec.updateStrategy.rollingUpdate ??= {};
        spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
        spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
      }
      defaultTemplate(spec.template);
    },
    validate: ({ spec }) => [
      ...ownSelectorErrors(spec, "daemonset"),
      ...templateErrors(spec),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
    ],
    validateUpdate: selectorChange,
  }),
  entry<ControllerRevision>("apps/ControllerRevision", {
    validate: ({ revision }) => countErrors(revision, "revision"),
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
    ...templateErrors(spec),
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
    const value = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [notSupported("spec.strategy", value, ["Recreate", "RollingUpdate"])];
  }
  if (!rollingUpdate)
    return [required("spec.strategy.rollingUpdate", "this should be defaulted and never be nil")];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  if (!isNone(maxUnavailable) || !isNone(maxSurge)) return [];
  const detail = "may not be 0 when `maxSurge` is 0";
  return [invalid("spec.strategy.rollingUpdate.maxUnavailable", maxUnavailable, detail)];
}

function isNone(amount: number | string | undefined): boolean {
  return amount === 0 || amount === "0%";
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
  return equal(spec.selector, before.selector) ? [] : immutableErrors("spec.selector", spec.selector);
}

function statefulSetChange({ spec }: StatefulSet, { spec: before }: StatefulSet): FieldError[] {
  if (equal(fixedParts(spec), fixedParts(before))) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden("spec", detail)];
}

function fixedParts({
  selector,
  serviceName,
  podManagementPolicy,
  volumeClaimTemplates,
}: StatefulSet["spec"]): unknown {
  return { selector, serviceName, podManagementPolicy, volumeClaimTemplates };
}
