import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { goPeer } from "./go-peer.ts";
import type { Filling } from "./stub-bench.ts";

/**
 * Gives the stub its pods as protobuf. Kubernetes' own code encodes them if Go is installed. Without Go, no peer
 * requests protobuf.
 */
export function bringProtobuf({ pods, quickPods = pods }: ProtobufPods): (filling: Filling) => Promise<void> {
  return async ({ stub, folder, quick }) => {
    const prepared = await goPeer({ name: "protobuf", package: "protobuf" }).prepare();
    if ("skipped" in prepared) return;
    const file = join(folder, "pods.protobuf");
    await stub.control(`size?pods=${quick ? quickPods : pods}`);
    const [encoder = "", ...args] = prepared.command;
    await promisify(execFile)(encoder, [...args, `--plain=${stub.plain}`, `--file=${file}`]);
    await stub.control(`protobuf?pods=${encodeURIComponent(file)}`);
  };
}

export interface ProtobufPods {
  /** Number of pods. */
  readonly pods: number;
  /** Number of pods in a quick run. @default the same number */
  readonly quickPods?: number | undefined;
}
