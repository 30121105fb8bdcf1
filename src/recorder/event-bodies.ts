import { labelKeyFault, type New } from "../api/index.ts";
import type { Event as CoreEvent } from "../api/types/core/v1.ts";
import type { Event } from "../api/types/events/v1.ts";
import { microTimestamp, timestamp } from "../base/index.ts";
import type { Tally } from "./tally.ts";

/** As the core has it: with a count, and the times of the first and the last. */
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

/** What of it changes when it happens again. */
export function coreChange({
  note,
  count,
  lastMs,
}: Tally): Pick<CoreEvent, "message" | "count" | "lastTimestamp"> {
  return { message: note, count, lastTimestamp: timestamp(lastMs) };
}

/** As events.k8s.io has it: with a series from the second time on. */
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

/** What of it may change: the words stay those of the first time. */
export function groupedChange({ count, lastMs }: Tally): Pick<Event, "series"> {
  return { series: { count, lastObservedTime: microTimestamp(lastMs) } };
}

/** The server takes qualified names alone as reporting controllers of events.k8s.io. */
function qualifiedName(component: string): string {
  if (labelKeyFault(component) === undefined) return component;
  const name = component.replace(/[^-A-Za-z0-9_.]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return name.slice(0, longestName).replace(/[^A-Za-z0-9]+$/, "") || "trimtab";
}

const longestName = 63;

function metadataOf({ name, namespace, first }: Tally): New<Event>["metadata"] {
  return { name, namespace, ...(first.annotations && { annotations: { ...first.annotations } }) };
}

/** The server takes so many characters. */
function shortened(note: string): string {
  return note.length <= longestNote ? note : `${note.slice(0, longestNote - 3)}...`;
}

const longestNote = 1024;
