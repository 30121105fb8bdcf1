import { once } from "node:events";
import type { KubeObject } from "trimtab/api";
import { Pod, Service } from "trimtab/api/core/v1";
import { type Informer, informers } from "trimtab/cache";
import type { Client } from "trimtab/client";

export interface WatchOptions {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Prints changes of Pods and Services until aborted, with two informers of one factory. */
export async function watchPodsAndServices(client: Client, { say, signal }: WatchOptions): Promise<void> {
  await using factory = informers({ client, resyncMs: 600_000 });
  printEvents(factory.for(Pod), say);
  printEvents(factory.for(Service), say);
  factory.start({ signal });
  await factory.synced;
  say("caches synced");
  if (!signal.aborted) await once(signal, "abort");
}

function printEvents<T extends KubeObject>(informer: Informer<T>, say: WatchOptions["say"]): void {
  informer.on(({ type, key }) => say(`${informer.kind.kind} ${type}: ${key}`));
}
