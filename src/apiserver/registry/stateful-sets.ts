import type { StatefulSet, StatefulSetSpec } from "../../api/types/apps/v1.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, GoStruct, invalid, notSupported } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { templateWarnings } from "./pod-warnings.ts";
import { requiredSelectorErrors, templateErrors, templateLabels } from "./template-errors.ts";
import { countErrors } from "./value-errors.ts";
import { claimErrors } from "./volumes.ts";

export const statefulSets: readonly KindEntry[] = [
  kindEntry<StatefulSet>("apps/StatefulSet", {
    generation: "spec",
    distinguishesEmpty: templateLabels,
    default: ({ spec }) => defaultSet(spec),
    prepareCreate(set) {
      set.status = { replicas: 0, availableReplicas: 0 };
    },
    validate: ({ spec }) => [
      ...policyErrors(spec),
      ...countErrors(spec.replicas, "spec.replicas"),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
      ...countErrors(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
      ...claimTemplateErrors(spec),
      ...countErrors(spec.ordinals?.start, "spec.ordinals.start"),
      ...requiredSelectorErrors(spec, "statefulset"),
      ...templateErrors({ selector: spec.selector, template: withClaims(spec) }, "StatefulSet"),
    ],
    validateUpdate: statefulSetUpdateErrors,
    warnings: templateWarnings,
    validateStatus: ({ status }) => statusErrors(status ?? { replicas: 0 }),
  }),
];

function defaultSet(spec: StatefulSetSpec): void {
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
  if (spec.template?.spec) defaultPodSpec(spec.template.spec);
}

function policyErrors(spec: StatefulSetSpec): FieldError[] {
  const { podManagementPolicy: policy, persistentVolumeClaimRetentionPolicy: retention = {} } = spec;
  return [
    ...(policy === "OrderedReady" || policy === "Parallel"
      ? []
      : [invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...strategyErrors(spec.updateStrategy ?? {}),
    ...(["whenDeleted", "whenScaled"] as const)
      .filter((when) => !retentionPolicies.includes(retention[when] ?? ""))
      .map((when) =>
        notSupported(`spec.persistentVolumeClaimRetentionPolicy.${when}`, retention[when], retentionPolicies),
      ),
  ];
}

const retentionPolicies = ["Retain", "Delete"];

function strategyErrors({
  type,
  rollingUpdate,
}: NonNullable<StatefulSetSpec["updateStrategy"]>): FieldError[] {
  const field = "spec.updateStrategy";
  const internal = rollingUpdate && {
    Partition: rollingUpdate.partition ?? null,
    MaxUnavailable: rollingUpdate.maxUnavailable ?? null,
  };
  if (type === "OnDelete") {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    return internal ? [invalid(`${field}.rollingUpdate`, new GoStruct(internal), detail)] : [];
  }
  if (type === "RollingUpdate") {
    return countErrors(rollingUpdate?.partition, `${field}.rollingUpdate.partition`);
  }
  const value = new GoStruct({ Type: type, RollingUpdate: internal ?? null });
  return [invalid(field, value, "must be 'RollingUpdate' or 'OnDelete'")];
}

function claimTemplateErrors({ volumeClaimTemplates = [] }: StatefulSetSpec): FieldError[] {
  return volumeClaimTemplates.flatMap(({ spec }, index) =>
    claimErrors(spec, `spec.volumeClaimTemplates[${index}].spec`),
  );
}

/**
 * Returns the template with the claims as volumes, because containers mount them by name although the template does not
 * list them.
 */
function withClaims({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec | undefined {
  if (!template?.spec || volumeClaimTemplates.length === 0) return template;
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ""));
  const others = (template.spec.volumes ?? []).filter(({ name }) => !names.has(name));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...template.spec, volumes: [...others, ...claims] } };
}

function statefulSetUpdateErrors({ spec }: StatefulSet, { spec: before }: StatefulSet): FieldError[] {
  if (equal(immutableFields(spec), immutableFields(before))) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden("spec", detail)];
}

function immutableFields({
  selector,
  serviceName,
  podManagementPolicy,
  volumeClaimTemplates,
}: StatefulSetSpec): unknown {
  return { selector, serviceName, podManagementPolicy, volumeClaimTemplates };
}

const counts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"] as const;

function statusErrors(status: NonNullable<StatefulSet["status"]>): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  return [
    ...countErrors(replicas, "status.replicas"),
    ...counts.flatMap((count) => countErrors(status[count], `status.${count}`)),
    ...countErrors(status.observedGeneration, "status.observedGeneration"),
    ...countErrors(status.collisionCount, "status.collisionCount"),
    ...counts
      .filter((count) => (status[count] ?? 0) > replicas)
      .map((count) => invalid(`status.${count}`, status[count], "cannot be greater than status.replicas")),
    ...(availableReplicas > readyReplicas
      ? [
          invalid(
            "status.availableReplicas",
            availableReplicas,
            "cannot be greater than status.readyReplicas",
          ),
        ]
      : []),
  ];
}
