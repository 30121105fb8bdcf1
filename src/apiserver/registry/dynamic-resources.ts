import type {
  Device,
  DeviceClass,
  DeviceRequest,
  DeviceTaint,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceSlice,
} from "../../api/types/resource/v1.ts";
import { equal, type FieldError, invalid, required } from "../../schema/index.ts";
import type { WriteContext } from "../types/resource.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { immutableErrors, requiredErrors } from "./value-errors.ts";

/** The group resource.k8s.io: dynamic resource allocation. */
export const dynamicResources: readonly KindEntry[] = [
  kindEntry<DeviceClass>("resource.k8s.io/DeviceClass", { generation: "spec", returnsDeleted: true }),
  kindEntry<ResourceClaim>("resource.k8s.io/ResourceClaim", {
    returnsDeleted: true,
    statusKeeps: [
      "spec",
      "metadata.labels",
      "metadata.annotations",
      "metadata.finalizers",
      "metadata.ownerReferences",
      "metadata.deletionTimestamp",
    ],
    default: ({ spec }) => defaultClaim(spec),
    validateUpdate: ({ spec }, { spec: before }) =>
      equal(spec, before) ? [] : immutableErrors("spec", spec),
  }),
  kindEntry<ResourceClaimTemplate>("resource.k8s.io/ResourceClaimTemplate", {
    returnsDeleted: true,
    default: ({ spec }) => defaultClaim(spec.spec),
    validateUpdate: ({ spec }, { spec: before }) =>
      equal(spec, before) ? [] : immutableErrors("spec", spec),
  }),
  kindEntry<ResourceSlice>("resource.k8s.io/ResourceSlice", {
    generation: "spec",
    returnsDeleted: true,
    prepareCreate: ({ spec }, context) => setTaintTimes(spec.devices, context),
    prepareUpdate: ({ spec }, _, context) => setTaintTimes(spec.devices, context),
    validate: ({ spec }) => [
      ...requiredErrors(spec.driver, "spec.driver"),
      ...requiredErrors(spec.pool.name, "spec.pool.name"),
      ...(spec.pool.resourceSliceCount > 0
        ? []
        : [
            invalid(
              "spec.pool.resourceSliceCount",
              spec.pool.resourceSliceCount,
              "must be greater than zero",
            ),
          ]),
      ...nodeErrors(spec),
    ],
    fields: {
      "spec.nodeName": ({ spec }) => spec.nodeName ?? "",
      "spec.driver": ({ spec }) => spec.driver,
    },
    unknownField: (field) => `field label not supported for ResourceSlice: ${field}`,
  }),
];

function defaultClaim({ devices }: ResourceClaimSpec): void {
  for (const { exactly, firstAvailable } of devices?.requests ?? []) {
    if (exactly) defaultRequest(exactly);
    for (const request of firstAvailable ?? []) defaultRequest(request);
  }
}

function defaultRequest(request: NonNullable<DeviceRequest["exactly"]>): void {
  request.allocationMode ??= "ExactCount";
  if (request.allocationMode === "ExactCount") request.count ||= 1;
}

/** Sets the time of taints that have none. */
function setTaintTimes(devices: readonly Device[] | undefined, { now }: WriteContext): void {
  const taints = (devices ?? []).flatMap((device): DeviceTaint[] => device.taints ?? []);
  for (const taint of taints) taint.timeAdded ??= now;
}

function nodeErrors(spec: ResourceSlice["spec"]): FieldError[] {
  const nodeSelections = [
    spec.nodeName,
    spec.nodeSelector,
    spec.allNodes,
    spec.perDeviceNodeSelection,
  ].filter(Boolean);
  if (nodeSelections.length === 1) return [];
  const detail =
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  return [nodeSelections.length === 0 ? required("spec", detail) : invalid("spec", spec, detail)];
}
