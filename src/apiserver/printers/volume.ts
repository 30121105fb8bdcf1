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

/** What a claim got is shown once it has a volume. */
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

/** In the order they are printed. */
const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

function modesText(given: readonly string[] | null | undefined): string {
  const known = Object.entries(modes).filter(([mode]) => given?.includes(mode));
  return known.map(([, short]) => short).join(",");
}

function phaseOf({ metadata }: Pick<KubeObject, "metadata">, phase: string | undefined): string {
  return metadata.deletionTimestamp ? "Terminating" : (phase ?? "");
}

/** Older objects name their class in an annotation, which wins. */
function classOf({ annotations }: KubeObject["metadata"], named: string | undefined): string {
  return annotations?.["volume.beta.kubernetes.io/storage-class"] ?? named ?? "";
}

function claimOf(
  claim: { readonly namespace?: string | undefined; readonly name?: string | undefined } | undefined,
): string {
  return claim ? `${claim.namespace ?? ""}/${claim.name ?? ""}` : "";
}
