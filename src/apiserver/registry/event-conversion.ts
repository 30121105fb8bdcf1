import type { KubeObject } from "../../api/index.ts";
import type { Event as CoreEvent } from "../../api/types/core/v1.ts";
import type { Event } from "../../api/types/events/v1.ts";

/** Events have two APIs over one store, which call the same things differently. */
const names: ReadonlyArray<readonly [core: string, grouped: string]> = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

const toCore: ReadonlyMap<string, string> = new Map(names.map(([core, grouped]) => [grouped, core]));
const toGrouped: ReadonlyMap<string, string> = new Map(names);

/** An event of either API as one of core/v1. */
export function coreEvent(event: KubeObject): CoreEvent {
  // The two have the same fields but for their names.
  return renamed(event, toCore, "v1") as unknown as CoreEvent;
}

/** An event of either API as one of events.k8s.io/v1. */
export function groupedEvent(event: KubeObject): Event {
  // The two have the same fields but for their names.
  return renamed(event, toGrouped, "events.k8s.io/v1") as unknown as Event;
}

function renamed(event: KubeObject, to: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const entries = Object.entries(event).map(([field, value]) => [to.get(field) ?? field, value] as const);
  return { ...Object.fromEntries(entries), kind: "Event", apiVersion, metadata: event.metadata };
}
