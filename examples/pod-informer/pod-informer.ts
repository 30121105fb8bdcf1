import { once } from "node:events";
import { Pod } from "trimtab/api/core/v1";
import { informers } from "trimtab/cache";
import type { Client } from "trimtab/client";

export interface WatchPodsOptions {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Called when the handler has received every existing Pod. */
  readonly onSynced?: (() => void) | undefined;
}

/** Prints every existing Pod and every change until aborted, with one informer and one handler. */
export async function watchPods(client: Client, { say, signal, onSynced }: WatchPodsOptions): Promise<void> {
  await using factory = informers({ client });
  const pods = factory.for(Pod);

  const handler = pods.on((event) => {
    const { name, annotations, labels } = event.object.metadata;
    switch (event.type) {
      case "added":
        say(`New pod Added to Store: ${name}`);
        if (labels?.test !== undefined) say("It has the label");
        break;
      case "updated":
        say(name);
        break;
      case "deleted":
        return;
    }
    if (annotations?.app === "bjzdgt.com") say("This pod is a good pod");
  });

  factory.start({ signal });
  await handler.synced;
  onSynced?.();
  if (!signal.aborted) await once(signal, "abort");
}
