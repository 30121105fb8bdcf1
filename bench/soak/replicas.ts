import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Lease } from "trimtab/api/coordination/v1";
import type { Client } from "trimtab/client";

/** V8 ends a replica whose old space grows beyond this. */
export const heapCeilingMb = 64;

/** A report that a replica prints about itself. */
export interface ReplicaReport {
  /** Live memory after a garbage collection if requested, otherwise 0. */
  readonly bytes: number;
  /** Current size of the JavaScript heap and of the process, including garbage. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly reconciles: number;
  /** Number of started reconciles of the key whose reconcile does not return: at most one. */
  readonly stuckReconciles: number;
  /** Key and resource version of each ConfigMap in its cache. */
  readonly copy: readonly (readonly [key: string, resourceVersion: string])[];
}

/** A leader and a standby of one operator, each in a process of its own. */
export class Replicas implements AsyncDisposable {
  readonly #leader: ChildProcess;
  readonly #standby: ChildProcess;

  /** Resolves when one replica leads and both have synced their caches. */
  static async start(kubeconfig: string, judge: Client): Promise<Replicas> {
    const leader = await startReplica(kubeconfig, "leader");
    while ((await judge.get(Lease, "soak"))?.spec?.holderIdentity !== "leader") await delay(100);
    return new Replicas(leader, await startReplica(kubeconfig, "standby"));
  }

  private constructor(leader: ChildProcess, standby: ChildProcess) {
    this.#leader = leader;
    this.#standby = standby;
  }

  async reports(about: "copy" | "memory"): Promise<Reports> {
    const both = [this.#leader, this.#standby];
    const [leader, standby] = await Promise.all(both.map((replica) => reportOf(replica, about)));
    if (!leader || !standby) throw new Error("expected a report of both replicas");
    if (leader.stuckReconciles > 1)
      throw new Error(`expected one reconcile of a key at a time, got ${leader.stuckReconciles}`);
    if (standby.reconciles > 0) throw new Error("expected no reconciles of the standby, got some");
    return { leader, standby };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of [this.#standby, this.#leader]) {
      const gone = once(replica, "exit");
      if (replica.connected) replica.disconnect();
      if (replica.exitCode === null) await gone;
    }
  }
}

async function startReplica(kubeconfig: string, identity: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("replica.ts", import.meta.url));
  const execArgv = [...process.execArgv, `--max-old-space-size=${heapCeilingMb}`];
  const replica = fork(program, [kubeconfig, identity], { execArgv });
  await messageOf(replica);
  return replica;
}

interface Reports {
  readonly leader: ReplicaReport;
  readonly standby: ReplicaReport;
}

async function reportOf(replica: ChildProcess, about: "copy" | "memory"): Promise<ReplicaReport> {
  const report = messageOf(replica);
  replica.send(about);
  return (await report) as ReplicaReport; // a replica sends nothing else after its start
}

/** Rejects if the replica exits first. */
async function messageOf(replica: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    return await Promise.race([
      once(replica, "message", { signal }).then(([message]: unknown[]) => message),
      once(replica, "exit", { signal }).then(([code]: unknown[]) => {
        throw new Error(`expected a replica to keep running, got exit code ${String(code)}`);
      }),
    ]);
  } finally {
    stop.abort();
  }
}
