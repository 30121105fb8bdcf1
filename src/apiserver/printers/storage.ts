import type { KubeObject } from "../../api/index.ts";
import type {
  CSIDriver,
  CSINode,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from "../../api/types/storage/v1.ts";
import { age, asNameColumn, boolean, integer, name, type Printers, printer, text } from "./column.ts";

export const storage: Printers = {
  StorageClass: printer<StorageClass>(
    asNameColumn(text("Name", nameOf)),
    text("Provisioner", ({ provisioner }) => provisioner ?? ""),
    text("ReclaimPolicy", ({ reclaimPolicy }) => reclaimPolicy ?? "Delete"),
    text("VolumeBindingMode", ({ volumeBindingMode }) => volumeBindingMode ?? "<unset>"),
    text("AllowVolumeExpansion", ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
    age,
  ),
  VolumeAttributesClass: printer<VolumeAttributesClass>(
    name,
    text("DriverName", ({ driverName }) => driverName ?? ""),
    age,
  ),
  CSIDriver: printer<CSIDriver>(
    name,
    boolean("AttachRequired", ({ spec }) => spec?.attachRequired ?? true),
    boolean("PodInfoOnMount", ({ spec }) => spec?.podInfoOnMount ?? false),
    boolean("StorageCapacity", ({ spec }) => spec?.storageCapacity ?? false),
    text("TokenRequests", ({ spec }) => audiences(spec?.tokenRequests)),
    boolean("RequiresRepublish", ({ spec }) => spec?.requiresRepublish ?? false),
    text("Modes", ({ spec }) => (spec?.volumeLifecycleModes ?? []).join(",") || "<none>"),
    age,
  ),
  CSINode: printer<CSINode>(
    name,
    integer("Drivers", ({ spec }) => (spec?.drivers ?? []).length),
    age,
  ),
  VolumeAttachment: printer<VolumeAttachment>(
    name,
    asNameColumn(text("Attacher", ({ spec }) => spec?.attacher ?? "")),
    text("PV", ({ spec }) => spec?.source?.persistentVolumeName ?? ""),
    text("Node", ({ spec }) => spec?.nodeName ?? ""),
    boolean("Attached", ({ status }) => status?.attached ?? false),
    age,
  ),
};

const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

function nameOf({ metadata: { name: className = "", annotations } }: Pick<KubeObject, "metadata">): string {
  return defaultAnnotations.some((annotation) => annotations?.[annotation] === "true")
    ? `${className} (default)`
    : className;
}

function audiences(requests: ReadonlyArray<{ readonly audience?: string | undefined }> | undefined): string {
  return requests ? requests.map(({ audience }) => audience).join(",") : "<unset>";
}
