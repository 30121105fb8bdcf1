import { liveBytes } from "../harness/live-bytes.ts";

/** What the ground counts itself. */
export interface Counts {
  /** Set now. */
  readonly timers: number;
  readonly writes: number;
  readonly events: number;
  readonly handled: number;
  /** How often watches had to begin anew. */
  readonly restarts: number;
  /** Reconciles of the leader. */
  readonly reconciles: number;
  /** Live memory of the two replicas after a collection. */
  readonly leaderMb: number;
  readonly standbyMb: number;
  /** The larger of the two replicas: JavaScript heap, and memory of the process. Garbage counts. */
  readonly replicaHeapMb: number;
  readonly replicaRssMb: number;
  /** Events that a handler has kept. */
  readonly retained: number;
}

/** What the process holds at rest. */
export interface Sample extends Counts {
  readonly seconds: number;
  /** On the heap and beside it, after a collection. */
  readonly memoryMb: number;
  readonly rssMb: number;
  readonly sockets: number;
}

export async function takeSample(counts: Counts): Promise<Sample> {
  const bytes = await liveBytes();
  const resources = process.getActiveResourcesInfo();
  return {
    seconds: Math.round(performance.now() / 1000),
    memoryMb: megabytes(bytes),
    rssMb: megabytes(process.memoryUsage.rss()),
    sockets: resources.filter((name) => /TCPSocket|TLS/.test(name)).length,
    ...counts,
  };
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
