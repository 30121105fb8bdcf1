import { labelKeyProblem, type New } from "../api/index.ts";
import type { Event as CoreEvent } from "../api/types/core/v1.ts";
import type { Event } from "../api/types/events/v1.ts";
import { below, microTimestamp, type Rng, timestamp, uuid } from "../base/index.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import type { Tally } from "./tally.ts";

/** Returns a core/v1 Event, with a count and the times of the first and the last occurrence. */
export function coreEvent(tally: Tally): New<CoreEvent> {
  const { type, reason, regarding, related, action, component, instance, atMs } = tally.first;
  return {
    metadata: metadataOf(tally),
    involvedObject: regarding,
    related,
    type,
    reason,
    action,
    source: { component, host: instance },
    reportingComponent: component,
    reportingInstance: instance,
    firstTimestamp: timestamp(atMs),
    ...coreChange(tally),
  };
}

/** Returns the fields of a core/v1 Event that change with a repetition. */
export function coreChange({
  note,
  count,
  lastMs,
}: Tally): Pick<CoreEvent, "message" | "count" | "lastTimestamp"> {
  return { message: note, count, lastTimestamp: timestamp(lastMs) };
}

/** Returns an events.k8s.io/v1 Event, with a series from the second occurrence on. */
export function groupedEvent(tally: Tally): New<Event> {
  const { type, reason, regarding, related, action, component, instance, atMs } = tally.first;
  return {
    metadata: metadataOf(tally),
    eventTime: microTimestamp(atMs),
    regarding,
    related,
    type,
    reason,
    action,
    note: shortened(tally.note),
    reportingController: qualifiedName(component),
    reportingInstance: instance,
    ...(tally.count > 1 ? groupedChange(tally) : {}),
  };
}

/**
 * Returns the fields of an events.k8s.io/v1 Event that change with a repetition. The server does not allow changes of
 * the note.
 */
export function groupedChange({ count, lastMs }: Tally): Pick<Event, "series"> {
  return { series: { count, lastObservedTime: microTimestamp(lastMs) } };
}

/**
 * Returns the component as a qualified name, because the server accepts no other reportingController in events.k8s.io.
 */
function qualifiedName(component: string): string {
  if (labelKeyProblem(component) === undefined) return component;
  const name = component.replace(/[^-A-Za-z0-9_.]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return name.slice(0, maxNameLength).replace(/[^A-Za-z0-9]+$/, "") || "trimtab";
}

const maxNameLength = 63;

function metadataOf({ name, namespace, first }: Tally): New<Event>["metadata"] {
  return { name, namespace, ...(first.annotations && { annotations: { ...first.annotations } }) };
}

/** Shortens the note to the length that the server accepts. */
function shortened(note: string): string {
  return note.length <= maxNoteLength ? note : `${note.slice(0, maxNoteLength - 3)}...`;
}

const maxNoteLength = 1024;

/**
 * Returns a function that generates unique event names: the object's name and the time in nanoseconds, of which the
 * part below a millisecond is a counter.
 */
export function eventNames(rng: Rng): (event: RecordedEvent) => string {
  let next = below(rng, perMs);
  return ({ regarding, atMs }) => {
    next = (next + 1) % perMs;
    const nanos = BigInt(Math.floor(atMs)) * BigInt(perMs) + BigInt(next);
    const name = `${regarding.name}.${nanos.toString(16)}`;
    return name.length <= maxLength && subdomain.test(name) ? name : uuid(rng);
  };
}

const perMs = 1_000_000;
const maxLength = 253;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
