import { Pod } from "trimtab/api/core/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";
import { ChaosPod } from "./chaos-pod.ts";

/** Shows how a Pod is stopped and started, and how the webhook denies a change. */
export async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> create the ChaosPod monkey");
  await client.create(ChaosPod, {
    metadata: { name: "monkey" },
    spec: { image: "nginx:1.29", everySeconds: 20 },
  });
  const first = await until(guide, Pod, { name: "monkey", holds: () => true });
  await until(guide, ChaosPod, { name: "monkey", holds: ({ status }) => status !== undefined });
  say("  the Pod monkey runs, and the ChaosPod has its next stop");

  const stopAt = (nextStop: string): Promise<unknown> =>
    client.patch(ChaosPod, "monkey", { merge: { spec: { nextStop } } });
  say("> set the next stop to the past");
  await stopAt("2026-01-01T00:00:00Z").catch(({ message }: Error) => say(`  ${denialIn(message)}`));

  say("> set the next stop to a second from now");
  await stopAt(new Date(Date.now() + 1000).toISOString());
  const holds = ({ metadata }: Pod): boolean => metadata.uid !== first.metadata.uid;
  await until(guide, Pod, { name: "monkey", holds });
  say("  it is stopped, and another one is started");
}

export const goOn: readonly string[] = [
  "kubectl get chaospods,pods --watch             # another Pod every 20 seconds",
  "kubectl describe chaospod monkey",
];

/** Returns the message of the webhook, without the request and the name of the webhook. */
function denialIn(message: string): string {
  return message.slice(message.indexOf("denied the request"));
}
