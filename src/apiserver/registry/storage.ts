import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from "../../api/types/storage/v1.ts";
import { equal, type FieldError, forbidden, required } from "../../schema/index.ts";
import { oneOf } from "./field-choices.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { immutableErrors, nameErrors, requiredErrors, requiredNameErrors } from "./value-errors.ts";

export const storage: readonly KindEntry[] = [
  kindEntry<StorageClass>("storage.k8s.io/StorageClass", {
    returnsDeleted: true,
    default(storage) {
      storage.reclaimPolicy ??= "Delete";
      storage.volumeBindingMode ??= "Immediate";
    },
    validate: (storage) => [
      ...requiredErrors(storage.provisioner, "provisioner"),
      ...oneOf(storage.reclaimPolicy, ["Delete", "Retain"], "reclaimPolicy"),
      ...oneOf(storage.volumeBindingMode, ["Immediate", "WaitForFirstConsumer"], "volumeBindingMode"),
    ],
    validateUpdate: storageClassUpdateErrors,
  }),
  kindEntry<VolumeAttributesClass>("storage.k8s.io/VolumeAttributesClass", {
    returnsDeleted: true,
    validate: ({ driverName, parameters }) => [
      ...requiredNameErrors("dns-subdomain", driverName, "driverName"),
      ...requiredErrors(parameters, "parameters", "must contain at least one key/value pair"),
    ],
    validateUpdate: ({ driverName, parameters }, before) => [
      ...(driverName === before.driverName
        ? []
        : [forbidden("driverName", "updates to driverName are forbidden.")]),
      ...(equal(parameters ?? {}, before.parameters ?? {})
        ? []
        : [forbidden("parameters", "updates to parameters are forbidden.")]),
    ],
  }),
  kindEntry<CSIDriver>("storage.k8s.io/CSIDriver", {
    returnsDeleted: true,
    unconditionalUpdate: false,
    default({ spec }) {
      spec.attachRequired ??= true;
      spec.podInfoOnMount ??= false;
      spec.storageCapacity ??= false;
      spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
      if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ["Persistent"];
      spec.requiresRepublish ??= false;
      spec.seLinuxMount ??= false;
    },
    validateUpdate: ({ spec }, { spec: before }) =>
      (["attachRequired", "volumeLifecycleModes"] as const).flatMap((field) =>
        equal(spec[field], before[field]) ? [] : immutableErrors(`spec.${field}`, spec[field]),
      ),
  }),
  kindEntry<CSINode>("storage.k8s.io/CSINode", {
    returnsDeleted: true,
    unconditionalUpdate: false,
    validate: ({ spec }) =>
      (spec.drivers ?? []).flatMap(({ name, nodeID }, index) => [
        ...requiredNameErrors("dns-subdomain", name, `spec.drivers[${index}].name`),
        ...requiredErrors(nodeID, `spec.drivers[${index}].nodeID`),
      ]),
  }),
  kindEntry<CSIStorageCapacity>("storage.k8s.io/CSIStorageCapacity", {
    unconditionalUpdate: false,
    validate: ({ storageClassName }) => nameErrors("dns-subdomain", storageClassName, "storageClassName"),
    validateUpdate: (capacity, before) =>
      (["nodeTopology", "storageClassName"] as const).flatMap((field) =>
        equal(capacity[field], before[field]) ? [] : immutableErrors(field, capacity[field]),
      ),
  }),
  kindEntry<VolumeAttachment>("storage.k8s.io/VolumeAttachment", {
    returnsDeleted: true,
    unconditionalUpdate: false,
    statusKeeps: ["spec", "metadata"],
    validate: ({ spec }) => [
      ...requiredNameErrors("dns-subdomain", spec.attacher, "spec.attacher"),
      ...sourceErrors(spec.source),
      ...nameErrors("dns-subdomain", spec.nodeName, "spec.nodeName"),
    ],
    validateUpdate: ({ spec }, { spec: before }) =>
      equal(spec, before) ? [] : immutableErrors("spec", spec),
  }),
];

/** Returns the errors for changes of a StorageClass, whose fields are immutable. */
function storageClassUpdateErrors(storage: StorageClass, before: StorageClass): FieldError[] {
  const { parameters = {}, provisioner, reclaimPolicy, volumeBindingMode } = storage;
  return [
    ...(equal(parameters, before.parameters ?? {})
      ? []
      : [forbidden("parameters", "updates to parameters are forbidden.")]),
    ...(provisioner === before.provisioner
      ? []
      : [forbidden("provisioner", "updates to provisioner are forbidden.")]),
    ...(reclaimPolicy === before.reclaimPolicy
      ? []
      : [forbidden("reclaimPolicy", "updates to reclaimPolicy are forbidden.")]),
    ...(volumeBindingMode === before.volumeBindingMode
      ? []
      : immutableErrors("volumeBindingMode", volumeBindingMode)),
  ];
}

function sourceErrors({
  inlineVolumeSpec,
  persistentVolumeName,
}: VolumeAttachment["spec"]["source"]): FieldError[] {
  const field = "spec.source";
  if (!inlineVolumeSpec && !persistentVolumeName)
    return [required(field, "must specify exactly one of inlineVolumeSpec and persistentVolumeName")];
  if (inlineVolumeSpec && persistentVolumeName)
    return [forbidden(field, "must specify exactly one of inlineVolumeSpec and persistentVolumeName")];
  return [];
}
