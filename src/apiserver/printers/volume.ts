import type { KubeObject } from "../../api/index.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types/core/v1.ts";
import { age, name, type Printer, printer, text, wide } from "./column.ts";

export const volumePrinter: Printer = printer<PersistentVolume>(
  name,
  text("Capacity", ({ spec }) => spec?.capacity?.storage ?? "0"),
  text("Access Modes", ({ spec }) => modesText(spec?.accessModes)),
  text("Reclaim Policy", ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? ""),
  text("Status", (volume) => phaseOf(volume, volume.status?.phase)),
  text("Claim", ({ spec }) => claimOf(spec?.claimRef)),
  text("StorageClass", ({ metadata, spec }) => classOf(metadata, spec?.storageClassName)),
  text("VolumeAttributesClass", ({ spec }) => spec?.volumeAttributesClassName ?? "<unset>"),
  text("Reason", ({ status }) => status?.reason ?? ""),
  age,
  wide("VolumeMode", ({ spec }) => spec?.volumeMode ?? "<unset>"),
);

/** The printer of claims. Capacity and access modes are empty until the claim has a volume. */
export const claimPrinter: Printer = printer<PersistentVolumeClaim>(
  name,
  text("Status", (claim) => phaseOf(claim, claim.status?.phase)),
  text("Volume", ({ spec }) => spec?.volumeName ?? ""),
  text("Capacity", ({ spec, status }) => (spec?.volumeName ? (status?.capacity?.storage ?? "0") : "")),
  text("Access Modes", ({ spec, status }) => (spec?.volumeName ? modesText(status?.accessModes) : "")),
  text("StorageClass", ({ metadata, spec }) => classOf(metadata, spec?.storageClassName)),
  text("VolumeAttributesClass", ({ spec }) => spec?.volumeAttributesClassName ?? "<unset>"),
  age,
  wide("VolumeMode", ({ spec }) => spec?.volumeMode ?? "<unset>"),
);

/** The abbreviations of access modes, in the order of the output. */
const abbreviations: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

function modesText(accessModes: readonly string[] | null | undefined): string {
  const supported = Object.entries(abbreviations).filter(([mode]) => accessModes?.includes(mode));
  return supported.map(([, abbreviation]) => abbreviation).join(",");
}

function phaseOf({ metadata }: Pick<KubeObject, "metadata">, phase: string | undefined): string {
  return metadata.deletionTimestamp ? "Terminating" : (phase ?? "");
}

/** Returns the storage class. The annotation of older objects takes precedence. */
function classOf({ annotations }: KubeObject["metadata"], className: string | undefined): string {
  return annotations?.["volume.beta.kubernetes.io/storage-class"] ?? className ?? "";
}

function claimOf(
  claim: { readonly namespace?: string | undefined; readonly name?: string | undefined } | undefined,
): string {
  return claim ? `${claim.namespace ?? ""}/${claim.name ?? ""}` : "";
}
