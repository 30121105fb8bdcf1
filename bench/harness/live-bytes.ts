import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countSharedMemory } from "./shared-memory.ts";

const sharedBytes = countSharedMemory();

/** Returns the memory in use after garbage collections, on and off the heap. Finalizers run between the collections. */
export async function liveBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // the flag defines it in new contexts
  for (let times = 0; times < 3; times++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external + sharedBytes();
}
