import type { KubeObject } from "../../api/index.ts";
import type { Event as CoreEvent } from "../../api/types/core/v1.ts";
import type { Event } from "../../api/types/events/v1.ts";

/** The field names that differ between the two Event APIs, which share one storage. */
const fieldNames: ReadonlyArray<readonly [core: string, grouped: string]> = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

const toCore: ReadonlyMap<string, string> = new Map(fieldNames.map(([core, grouped]) => [grouped, core]));
const toGrouped: ReadonlyMap<string, string> = new Map(fieldNames);

/** Converts an Event of either API to core/v1. */
export function toCoreEvent(event: KubeObject): CoreEvent {
  // Both APIs have the same fields under different names.
  return renameFields(event, toCore, "v1") as unknown as CoreEvent;
}

/** Converts an Event of either API to events.k8s.io/v1. */
export function toGroupedEvent(event: KubeObject): Event {
  // Both APIs have the same fields under different names.
  return renameFields(event, toGrouped, "events.k8s.io/v1") as unknown as Event;
}

function renameFields(event: KubeObject, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const entries = Object.entries(event).map(([field, value]) => [names.get(field) ?? field, value] as const);
  return { ...Object.fromEntries(entries), kind: "Event", apiVersion, metadata: event.metadata };
}
