import { type Context, type Controller, controller, owns, type Requeue, TerminalError } from "trimtab";
import { isControlledBy, type ObjectOf } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import { defineResource } from "trimtab/crd";
import { z } from "zod";

/** A Pod that is stopped at `nextStop` and started anew, again and again. */
export const ChaosPod = defineResource({
  group: "chaosapps.metamagical.dev",
  version: "v1",
  kind: "ChaosPod",
  shortNames: ["cp"],
  spec: z.object({
    image: z.string().min(1),
    everySeconds: z.int32().min(1).default(20),
    /** Moved on by the controller with each start; a person may set it too. */
    nextStop: z.iso.datetime().optional(),
  }),
  status: z.object({ lastRun: z.iso.datetime() }),
  columns: [
    { name: "Next stop", path: ".spec.nextStop", type: "string" },
    { name: "Last run", path: ".status.lastRun", type: "date" },
  ],
});
export type ChaosPod = ObjectOf<typeof ChaosPod>;

/** @param now in milliseconds since 1970 */
export function chaosPods(now: () => number = Date.now): Controller {
  const leftMs = ({ spec }: ChaosPod): number => (spec.nextStop ? Date.parse(spec.nextStop) - now() : 0);

  async function start(chaos: ChaosPod, { client, events }: Context): Promise<void> {
    const { name, namespace } = chaos.metadata;
    const { image, everySeconds } = chaos.spec;
    // The time is set before the Pod is made: who is interrupted in between makes it later, with this time.
    if (leftMs(chaos) <= 0) {
      const nextStop = new Date(now() + everySeconds * 1000).toISOString();
      await client.patch(ChaosPod, chaos.metadata, { merge: { spec: { nextStop } } });
    }
    const pod = { metadata: { name, namespace }, spec: { containers: [{ name: "chaos", image }] } };
    const { metadata } = await client.create(Pod, pod, { owner: chaos });
    await client.applyStatus(ChaosPod, chaos, { lastRun: metadata.creationTimestamp });
    events.normal(chaos, "Started", `Pod ${name} is started`);
  }

  async function stop(chaos: ChaosPod, pod: Pod, { client, events }: Context): Promise<Requeue | undefined> {
    const { name, deletionTimestamp } = pod.metadata;
    if (!isControlledBy(pod, chaos)) {
      throw new TerminalError(`expected Pod ${name} to be this ChaosPod's, got somebody else's`);
    }
    if (deletionTimestamp) return undefined; // when it is gone, that is an event
    if (leftMs(chaos) > 0) return { requeueAfterMs: leftMs(chaos) };
    await client.delete(Pod, pod);
    events.normal(chaos, "Stopped", `Pod ${name} is stopped`);
    return undefined;
  }

  return controller({
    for: ChaosPod,
    on: [owns(Pod)],
    async reconcile(key, context) {
      const chaos = await context.client.get(ChaosPod, key);
      const pod = await context.client.get(Pod, key);
      if (chaos && pod) return stop(chaos, pod, context);
      if (chaos) await start(chaos, context);
      return undefined;
    },
  });
}
