import { once } from "node:events";
import { Pod } from "trimtab/api/core/v1";
import { informers, type Lister } from "trimtab/cache";
import type { Client } from "trimtab/client";
import { WorkQueue } from "trimtab/queue";

export interface WorkOptions {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Number of keys that are processed concurrently. */
  readonly workers: number;
}

/** Processes every changed Pod with an informer, a queue and workers. A failed key is retried. */
export async function processPods(client: Client, { say, signal, workers }: WorkOptions): Promise<void> {
  await using factory = informers({ client });
  const pods = factory.for(Pod);
  const queue = new WorkQueue();
  pods.on((event) => queue.add(event.key));

  factory.start({ signal });
  await factory.synced;
  say("caches synced, starting workers");
  const working = Array.from({ length: workers }, () => work(queue, pods.lister, say));
  if (!signal.aborted) await once(signal, "abort");
  await queue.close();
  await Promise.all(working);
}

/** Processes keys. The queue gives each key to one worker at a time; the lease ends with the loop's body. */
async function work(queue: WorkQueue, pods: Lister<Pod>, say: WorkOptions["say"]): Promise<void> {
  for await (using lease of queue) {
    const { key } = lease;
    try {
      sync(key, pods, say);
      queue.forget(key);
    } catch (error) {
      say(`error syncing ${key}: ${error instanceof Error ? error.message : error}`);
      if (queue.retries(key) < maxRetries) queue.retry(key);
      else say(`giving up on ${key}`);
    }
  }
}

const maxRetries = 5;

/** The business logic. It gets a key and reads the current Pod, which is absent if it was deleted. */
function sync(key: string, pods: Lister<Pod>, say: WorkOptions["say"]): void {
  const pod = pods.view(key);
  if (!pod || pod.metadata.deletionTimestamp) return say(`Pod ${key} is terminating or deleted`);
  if (pod.metadata.labels?.broken !== undefined) throw new Error("Pod is broken");
  say(`Sync of Pod ${key}`);
}
