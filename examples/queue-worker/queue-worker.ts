import { once } from "node:events";
import { Pod } from "trimtab/api/core/v1";
import { informers, type Lister } from "trimtab/cache";
import type { Client } from "trimtab/client";
import { WorkQueue } from "trimtab/queue";

export interface WorkOptions {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** How many keys are worked on at once. */
  readonly workers: number;
}

/** Informer, handler, queue, workers: every Pod that changes is looked at by one worker, again if that fails. */
export async function workOnPods(client: Client, { say, signal, workers }: WorkOptions): Promise<void> {
  await using factory = informers({ client });
  const pods = factory.for(Pod);
  const queue = new WorkQueue();
  pods.on((event) => queue.add(event.key));

  factory.start({ signal });
  await factory.synced;
  say("caches are filled, workers start");
  const working = Array.from({ length: workers }, () => work(queue, pods.lister, say));
  if (!signal.aborted) await once(signal, "abort");
  await queue.close();
  await Promise.all(working);
}

/** A queue hands a key to one worker at a time, and takes it back at the end of the loop's body. */
async function work(queue: WorkQueue, pods: Lister<Pod>, say: WorkOptions["say"]): Promise<void> {
  for await (using lease of queue) {
    const { key } = lease;
    try {
      look(key, pods, say);
      queue.forget(key);
    } catch (error) {
      say(`error syncing ${key}: ${error instanceof Error ? error.message : error}`);
      if (queue.retries(key) < mostRetries) queue.retry(key);
      else say(`giving ${key} up`);
    }
  }
}

const mostRetries = 5;

/** The business logic. It is given a key, and sees what is there now: nothing, if the Pod is gone. */
function look(key: string, pods: Lister<Pod>, say: WorkOptions["say"]): void {
  const pod = pods.view(key);
  if (!pod || pod.metadata.deletionTimestamp) return say(`Pod ${key} is going or gone`);
  if (pod.metadata.labels?.broken !== undefined) throw new Error("it is broken");
  say(`Sync of Pod ${key}`);
}
