import { type Context, type Controller, controller, owns, type Requeue, TerminalError } from "trimtab";
import { isControlledBy, type ObjectOf } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import { defineResource } from "trimtab/crd";
import { z } from "zod";

/** A Pod that is stopped at `nextStop` and started again, repeatedly. */
export const ChaosPod = defineResource({
  group: "chaosapps.metamagical.dev",
  version: "v1",
  kind: "ChaosPod",
  shortNames: ["cp"],
  spec: z.object({
    image: z.string().min(1),
    everySeconds: z.int32().min(1).default(20),
    /** Set by the controller at each start. A user may set it, too. */
    nextStop: z.iso.datetime().optional(),
  }),
  status: z.object({ lastRun: z.iso.datetime() }),
  columns: [
    { name: "Next stop", path: ".spec.nextStop", type: "string" },
    { name: "Last run", path: ".status.lastRun", type: "date" },
  ],
});
export type ChaosPod = ObjectOf<typeof ChaosPod>;

/** @param now Returns the time in milliseconds since 1970. */
export function chaosPods(now: () => number = Date.now): Controller {
  const remainingMs = ({ spec }: ChaosPod): number => (spec.nextStop ? Date.parse(spec.nextStop) - now() : 0);

  async function start(chaos: ChaosPod, { client, events }: Context): Promise<void> {
    const { name, namespace } = chaos.metadata;
    const { image, everySeconds } = chaos.spec;
    // Set the time before creating the Pod: if the controller is interrupted in between, it creates the Pod later with
    // this time.
    if (remainingMs(chaos) <= 0) {
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
      throw new TerminalError(`expected Pod ${name} to be controlled by this ChaosPod, got another owner`);
    }
    if (deletionTimestamp) return undefined; // its deletion will be an event
    if (remainingMs(chaos) > 0) return { requeueAfterMs: remainingMs(chaos) };
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
