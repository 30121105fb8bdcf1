import type { ConfigMap } from "../../api/types/core/v1.ts";
import type { Delta, Deltas } from "./delta.ts";
import type { DeltaFifo } from "./delta-fifo.ts";

/** Returns an object with the name and the resource version of `a@1`, in namespace `home`. */
export function configMap(text: string, data: Record<string, string> = {}): ConfigMap {
  const [name = "", resourceVersion = ""] = text.split("@");
  const metadata = { name, namespace: "home", resourceVersion, uid: name, creationTimestamp: "" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data } as unknown as ConfigMap; // all that the tests read
}

/** Returns `added a@1`, `missed deleted a@1`. */
export function deltaText(delta: Delta<ConfigMap>): string {
  const { name, resourceVersion } = delta.object.metadata;
  return `${delta.type === "deleted" && delta.missed ? "missed " : ""}${delta.type} ${name}@${resourceVersion}`;
}

export function deltasText(key: string, deltas: Deltas<ConfigMap>): string {
  return `${key}: ${deltas.map(deltaText).join(", ")}`;
}

/** Pops everything that is queued. @returns a line for each key, with `initial` for those of the first list */
export async function poppedFrom(fifo: DeltaFifo<ConfigMap>): Promise<string[]> {
  const lines: string[] = [];
  while (fifo.size > 0) {
    await fifo.pop((key, deltas, { initial }) => {
      lines.push(`${initial ? "initial " : ""}${deltasText(key, deltas)}`);
    });
  }
  return lines;
}
