import { recorder } from "trimtab";
import { Deployment } from "trimtab/api/apps/v1";
import { informers } from "trimtab/cache";
import { Foo } from "../foo/foo.ts";
import type { Part } from "../perform.ts";
import { Controller } from "./controller.ts";

/** Builds the controller and runs it until aborted. */
export async function run({ client, say, signal, onIdle }: Part): Promise<void> {
  await using kubeInformers = informers({ client, resyncMs: 30_000 });
  await using fooInformers = informers({ client, resyncMs: 30_000 });
  const printSink = {
    record: ({ type, reason, note }: { type: string; reason: string; note: string }) =>
      say(`event: ${type} ${reason}: ${note}`),
    close: () => Promise.resolve(),
  };
  await using events = recorder({ client, component: "sample-controller", sinks: [printSink] });

  const controller = new Controller({
    client,
    foos: fooInformers.for(Foo),
    deployments: kubeInformers.for(Deployment),
    events,
    say: (line) => say(`controller: ${line}`),
  });
  kubeInformers.start({ signal });
  fooInformers.start({ signal });
  await controller.run({ workers: 2, signal, onStarted: onIdle }); // an abort still processes queued keys
}
