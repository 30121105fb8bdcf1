import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countSharedMemory } from "../harness/shared-memory.ts";

/** What the ground counts itself. */
export interface Counts {
  /** Set now. */
  readonly timers: number;
  readonly writes: number;
  readonly events: number;
  readonly handled: number;
  /** How often watches had to begin anew. */
  readonly restarts: number;
}

/** What the process holds at rest. */
export interface Sample extends Counts {
  readonly seconds: number;
  /** On the heap and beside it, after a collection. */
  readonly memoryMb: number;
  readonly rssMb: number;
  readonly sockets: number;
}

const sharedBytes = countSharedMemory();

export function takeSample(counts: Counts): Sample {
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  return {
    seconds: Math.round(performance.now() / 1000),
    memoryMb: megabytes(heapUsed + external + sharedBytes()),
    rssMb: megabytes(rss),
    sockets: resources.filter((name) => /TCPSocket|TLS/.test(name)).length,
    ...counts,
  };
}

function collect(): void {
  setFlagsFromString("--expose-gc");
  // What the flag brings into new contexts.
  (runInNewContext("gc") as () => void)();
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
