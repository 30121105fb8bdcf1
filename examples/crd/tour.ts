import { Pod } from "trimtab/api/core/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";
import { ChaosPod } from "./chaos-pod.ts";

/** What a person would do to see a Pod stopped and started. */
export async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> make the ChaosPod monkey");
  await client.create(ChaosPod, {
    metadata: { name: "monkey" },
    spec: { image: "nginx:1.29", everySeconds: 20 },
  });
  const first = await until(guide, Pod, { name: "monkey", holds: () => true });
  await until(guide, ChaosPod, { name: "monkey", holds: ({ status }) => status !== undefined });
  say("  the Pod monkey runs, and the ChaosPod says until when");

  say("> let its time be over");
  await client.patch(ChaosPod, "monkey", { merge: { spec: { nextStop: "2026-01-01T00:00:00Z" } } });
  const holds = ({ metadata }: Pod): boolean => metadata.uid !== first.metadata.uid;
  await until(guide, Pod, { name: "monkey", holds });
  say("  it was stopped, and another one is started");
}

export const goOn: readonly string[] = [
  "kubectl get chaospods,pods --watch             # every 20 seconds another Pod",
  "kubectl describe chaospod monkey",
];
