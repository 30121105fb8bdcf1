import { once } from "node:events";
import type { KubeObject } from "trimtab/api";
import { Pod, Service } from "trimtab/api/core/v1";
import { type Informer, informers } from "trimtab/cache";
import type { Client } from "trimtab/client";

export interface Told {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Two informers of one factory: tells what happens to Pods and to Services, until aborted. */
export async function watchPodsAndServices(client: Client, { say, signal }: Told): Promise<void> {
  await using factory = informers({ client, resyncMs: 600_000 });
  tell(factory.for(Pod), say);
  tell(factory.for(Service), say);
  factory.start({ signal });
  await factory.synced;
  say("caches are filled");
  if (!signal.aborted) await once(signal, "abort");
}

function tell<T extends KubeObject>(informer: Informer<T>, say: Told["say"]): void {
  informer.on(({ type, key }) => say(`${informer.kind.kind} ${type}: ${key}`));
}
