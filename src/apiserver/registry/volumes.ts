import { compareQuantities, parseQuantity, type Quantity } from "../../api/index.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
} from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, invalid, notSupported, required } from "../../schema/index.ts";
import { oneOf } from "./field-choices.ts";
import { internalDiff } from "./internal-form.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { immutableErrors, missing, nameErrors } from "./value-errors.ts";

export const volumes: readonly KindEntry[] = [
  entry<PersistentVolume>("/PersistentVolume", {
    returnsDeleted: true,
    default({ spec, status }) {
      if (status) status.phase ??= "Pending";
      if (!spec) return;
      spec.persistentVolumeReclaimPolicy ??= "Retain";
      spec.volumeMode ??= "Filesystem";
      if (spec.hostPath) spec.hostPath.type ??= "";
    },
    prepareCreate(volume, { now }) {
      volume.status = { phase: "Pending", lastPhaseTransitionTime: now };
      protect(volume, "kubernetes.io/pv-protection");
    },
    prepareStatus(volume, before, { now }) {
      const { phase } = volume.status ?? {};
      if (phase !== before.status?.phase) volume.status = { ...volume.status, lastPhaseTransitionTime: now };
      else if (volume.status)
        volume.status.lastPhaseTransitionTime ??= before.status?.lastPhaseTransitionTime;
    },
    validate: ({ spec }) => volumeErrors(spec ?? {}),
    validateUpdate: ({ spec }, { spec: before }) => [
      ...(equal(sourceOf(spec ?? {}), sourceOf(before ?? {}))
        ? []
        : [
            forbidden(
              "spec.persistentvolumesource",
              `spec.persistentvolumesource is immutable after creation\n${sourceDiff(before ?? {}, spec ?? {})}`,
            ),
          ]),
      ...(spec?.volumeMode === before?.volumeMode ? [] : immutableErrors("volumeMode", spec?.volumeMode)),
    ],
  }),
  entry<PersistentVolumeClaim>("/PersistentVolumeClaim", {
    returnsDeleted: true,
    default({ spec, status }) {
      if (spec) spec.volumeMode ??= "Filesystem";
      if (status) status.phase ??= "Pending";
    },
    prepareCreate(claim) {
      claim.status = { phase: "Pending" };
      protect(claim, "kubernetes.io/pvc-protection");
    },
    validate: ({ spec }) => claimErrors(spec ?? {}, "spec"),
    validateUpdate: claimChange,
  }),
];

/** What is in use goes when nobody uses it any more: somebody else takes the finalizer away. */
function protect({ metadata }: PersistentVolume | PersistentVolumeClaim, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const volumeModes = ["Block", "Filesystem"];

function accessErrors(modes: readonly string[], field: string): FieldError[] {
  const unknown = modes.filter((mode) => !accessModes.includes(mode));
  return [
    ...unknown.map((mode) => notSupported(field, mode, accessModes)),
    ...(modes.includes("ReadWriteOncePod") && modes.length > 1
      ? [forbidden(field, "may not use ReadWriteOncePod with other access modes")]
      : []),
  ];
}

function volumeErrors(spec: PersistentVolumeSpec): FieldError[] {
  const { accessModes: modes = [], persistentVolumeReclaimPolicy: policy, storageClassName } = spec;
  return [
    ...missing(modes, "spec.accessModes"),
    ...accessErrors(modes, "spec.accessModes"),
    ...capacityErrors(spec.capacity),
    ...oneOf(policy, ["Delete", "Recycle", "Retain"], "spec.persistentVolumeReclaimPolicy"),
    ...volumeSourceErrors(spec),
    ...(storageClassName ? nameErrors("dns-subdomain", storageClassName, "spec.storageClassName") : []),
    ...oneOf(spec.volumeMode, volumeModes, "spec.volumeMode"),
  ];
}

function capacityErrors(capacity: Readonly<Record<string, Quantity>> | undefined): FieldError[] {
  const { storage, ...others } = capacity ?? {};
  const single = storage !== undefined && Object.keys(others).length === 0;
  return [
    ...missing(capacity, "spec.capacity"),
    ...(single ? [] : [notSupported("spec.capacity", capacity ?? null, ["storage"])]),
    ...Object.entries(capacity ?? {}).flatMap(([name, amount]) => [
      ...amountErrors(amount, `spec.capacity[${name}]`),
      ...sizeErrors(amount, `spec.capacity[${name}]`),
    ]),
  ];
}

/** Told as a whole number. */
function amountErrors(amount: Quantity, field: string): FieldError[] {
  if (compareQuantities(amount, "0") >= 0) return [];
  const whole = parseQuantity(amount).nano / 1_000_000_000n;
  return [invalid(field, whole, "must be a valid resource quantity")];
}

function sizeErrors(amount: Quantity, field: string): FieldError[] {
  return compareQuantities(amount, "0") > 0 ? [] : [invalid(field, amount, "must be greater than zero")];
}

/** What of a volume says where its data is. */
function sourceOf(spec: PersistentVolumeSpec): Record<string, unknown> {
  const {
    capacity: _1,
    accessModes: _2,
    claimRef: _3,
    persistentVolumeReclaimPolicy: _4,
    storageClassName: _5,
    mountOptions: _6,
    volumeMode: _7,
    nodeAffinity: _8,
    volumeAttributesClassName: _9,
    ...source
  } = spec;
  return source;
}

function sourceDiff(before: PersistentVolumeSpec, after: PersistentVolumeSpec): string {
  return internalDiff("PersistentVolumeSource", sourceOf(before), sourceOf(after));
}

function volumeSourceErrors(spec: PersistentVolumeSpec): FieldError[] {
  const [first, ...others] = Object.keys(sourceOf(spec));
  if (first === undefined) return [required("spec", "must specify a volume type")];
  return [
    ...others.map((name) => forbidden(`spec.${name}`, "may not specify more than 1 volume type")),
    ...(spec.csi ? missing(spec.csi.driver, "spec.csi.driver") : []),
    ...(spec.csi ? missing(spec.csi.volumeHandle, "spec.csi.volumeHandle") : []),
    ...(spec.hostPath ? missing(spec.hostPath.path, "spec.hostPath.path") : []),
  ];
}

/** What is wrong with what a claim asks for. */
export function claimErrors(spec: PersistentVolumeClaimSpec, field: string): FieldError[] {
  const { accessModes: modes = [], resources, storageClassName } = spec;
  const storage = resources?.requests?.storage;
  return [
    ...missing(modes, `${field}.accessModes`, "at least 1 access mode is required"),
    ...accessErrors(modes, `${field}.accessModes`),
    ...(storage === undefined
      ? [required(`${field}.resources[storage]`)]
      : sizeErrors(storage, `${field}.resources[storage]`)),
    ...(storageClassName ? nameErrors("dns-subdomain", storageClassName, `${field}.storageClassName`) : []),
    ...(spec.volumeMode ? oneOf(spec.volumeMode, volumeModes, `${field}.volumeMode`) : []),
  ];
}

function claimChange(claim: PersistentVolumeClaim, before: PersistentVolumeClaim): FieldError[] {
  const bound = before.status?.phase === "Bound";
  if (equal(fixedParts(claim.spec ?? {}, bound), fixedParts(before.spec ?? {}, bound))) {
    return bound ? shrinkErrors(claim, before) : [];
  }
  const detail =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  const kept = keptParts(claim.spec ?? {}, before.spec ?? {}, bound);
  return [
    forbidden("spec", `${detail}\n${internalDiff("PersistentVolumeClaimSpec", before.spec ?? {}, kept)}`),
  ];
}

/** The new claim with all that may change as it was. */
function keptParts(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  bound: boolean,
): PersistentVolumeClaimSpec {
  if (!bound) return before.volumeName ? spec : { ...spec, volumeName: before.volumeName };
  return {
    ...spec,
    resources: before.resources,
    volumeAttributesClassName: before.volumeAttributesClassName,
  };
}

/** A claim that has its volume may grow. Which volume that is may be said once. */
function fixedParts(spec: PersistentVolumeClaimSpec, bound: boolean): unknown {
  const { resources, volumeAttributesClassName, volumeName, ...rest } = spec;
  if (!bound) return { ...rest, resources, volumeAttributesClassName };
  return { ...rest, volumeName, limits: resources?.limits };
}

function shrinkErrors(claim: PersistentVolumeClaim, before: PersistentVolumeClaim): FieldError[] {
  const size = claim.spec?.resources?.requests?.storage ?? "0";
  const least = before.status?.capacity?.storage ?? before.spec?.resources?.requests?.storage ?? "0";
  if (compareQuantities(size, least) >= 0) return [];
  return [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")];
}
