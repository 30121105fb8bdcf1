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
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { immutableErrors, nameErrors, requiredErrors } from "./value-errors.ts";

export const volumes: readonly KindEntry[] = [
  kindEntry<PersistentVolume>("/PersistentVolume", {
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
  kindEntry<PersistentVolumeClaim>("/PersistentVolumeClaim", {
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
    validateUpdate: claimUpdateErrors,
  }),
];

/** Adds a protection finalizer, which a controller removes when the volume or claim is not in use. */
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
    ...requiredErrors(modes, "spec.accessModes"),
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
  const storageOnly = storage !== undefined && Object.keys(others).length === 0;
  return [
    ...requiredErrors(capacity, "spec.capacity"),
    ...(storageOnly ? [] : [notSupported("spec.capacity", capacity ?? null, ["storage"])]),
    ...Object.entries(capacity ?? {}).flatMap(([name, amount]) => [
      ...amountErrors(amount, `spec.capacity[${name}]`),
      ...sizeErrors(amount, `spec.capacity[${name}]`),
    ]),
  ];
}

/** Returns an error for a negative amount. The message has the amount as an integer. */
function amountErrors(amount: Quantity, field: string): FieldError[] {
  if (compareQuantities(amount, "0") >= 0) return [];
  const integer = parseQuantity(amount).nano / 1_000_000_000n;
  return [invalid(field, integer, "must be a valid resource quantity")];
}

function sizeErrors(amount: Quantity, field: string): FieldError[] {
  return compareQuantities(amount, "0") > 0 ? [] : [invalid(field, amount, "must be greater than zero")];
}

/** Returns the fields of a volume that state where its data is. */
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
    ...(spec.csi ? requiredErrors(spec.csi.driver, "spec.csi.driver") : []),
    ...(spec.csi ? requiredErrors(spec.csi.volumeHandle, "spec.csi.volumeHandle") : []),
    ...(spec.hostPath ? requiredErrors(spec.hostPath.path, "spec.hostPath.path") : []),
  ];
}

/** Returns the errors in the spec of a claim. */
export function claimErrors(spec: PersistentVolumeClaimSpec, field: string): FieldError[] {
  const { accessModes: modes = [], resources, storageClassName } = spec;
  const storage = resources?.requests?.storage;
  return [
    ...requiredErrors(modes, `${field}.accessModes`, "at least 1 access mode is required"),
    ...accessErrors(modes, `${field}.accessModes`),
    ...(storage === undefined
      ? [required(`${field}.resources[storage]`)]
      : sizeErrors(storage, `${field}.resources[storage]`)),
    ...(storageClassName ? nameErrors("dns-subdomain", storageClassName, `${field}.storageClassName`) : []),
    ...(spec.volumeMode ? oneOf(spec.volumeMode, volumeModes, `${field}.volumeMode`) : []),
  ];
}

function claimUpdateErrors(claim: PersistentVolumeClaim, before: PersistentVolumeClaim): FieldError[] {
  const bound = before.status?.phase === "Bound";
  if (equal(immutableParts(claim.spec ?? {}, bound), immutableParts(before.spec ?? {}, bound))) {
    return bound ? shrinkErrors(claim, before) : [];
  }
  const detail =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  const newSpec = withMutableFields(claim.spec ?? {}, before.spec ?? {}, bound);
  return [
    forbidden("spec", `${detail}\n${internalDiff("PersistentVolumeClaimSpec", before.spec ?? {}, newSpec)}`),
  ];
}

/** Returns the new spec with the mutable fields of the old one, so that a diff shows forbidden changes only. */
function withMutableFields(
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

/** Returns the immutable fields of a claim. A bound claim may grow, and an unbound claim may get its volume name. */
function immutableParts(spec: PersistentVolumeClaimSpec, bound: boolean): unknown {
  const { resources, volumeAttributesClassName, volumeName, ...rest } = spec;
  if (!bound) return { ...rest, resources, volumeAttributesClassName };
  return { ...rest, volumeName, limits: resources?.limits };
}

function shrinkErrors(claim: PersistentVolumeClaim, before: PersistentVolumeClaim): FieldError[] {
  const size = claim.spec?.resources?.requests?.storage ?? "0";
  const minimum = before.status?.capacity?.storage ?? before.spec?.resources?.requests?.storage ?? "0";
  if (compareQuantities(size, minimum) >= 0) return [];
  return [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")];
}
