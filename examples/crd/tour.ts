import { Pod } from "trimtab/api/core/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";
import { ChaosPod } from "./chaos-pod.ts";

/** Shows how a Pod is stopped and started. */
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

  say("> set the next stop to the past");
  await client.patch(ChaosPod, "monkey", { merge: { spec: { nextStop: "2026-01-01T00:00:00Z" } } });
  const holds = ({ metadata }: Pod): boolean => metadata.uid !== first.metadata.uid;
  await until(guide, Pod, { name: "monkey", holds });
  say("  it is stopped, and another one is started");
}

export const goOn: readonly string[] = [
  "kubectl get chaospods,pods --watch             # another Pod every 20 seconds",
  "kubectl describe chaospod monkey",
];
