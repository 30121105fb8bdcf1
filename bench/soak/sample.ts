import { liveBytes } from "../harness/live-bytes.ts";

/** Counts of the soak itself. */
export interface Counts {
  /** Active timers. */
  readonly timers: number;
  readonly writes: number;
  readonly events: number;
  readonly handled: number;
  /** Number of watch restarts. */
  readonly restarts: number;
  /** Reconciles of the leader. */
  readonly reconciles: number;
  /** Live memory of the two replicas after a garbage collection. */
  readonly leaderMb: number;
  readonly standbyMb: number;
  /** The maximum of the two replicas: JavaScript heap and process memory, including garbage. */
  readonly replicaHeapMb: number;
  readonly replicaRssMb: number;
  /** Number of retained events. */
  readonly retained: number;
}

/** The resources of the process when all work is done. */
export interface Sample extends Counts {
  readonly seconds: number;
  /** Live memory on and off the heap, after a garbage collection. */
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
