import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countSharedMemory } from "./shared-memory.ts";

const sharedBytes = countSharedMemory();

/** What is in use, on the heap and beside it, after collections: between them, who waits for what they find has a turn. */
export async function liveBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // what the flag brings into new contexts
  for (let times = 0; times < 3; times++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external + sharedBytes();
}
