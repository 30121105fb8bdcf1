import type { Event } from "../../api/types/core/v1.ts";
import type { Event as NewEvent } from "../../api/types/events/v1.ts";
import { ageOf } from "./age.ts";
import { asNameColumn, type Column, type Printable, type Printer, printer, text, wide } from "./column.ts";

/** An Event of either API with the field names of the core API. */
type AnyEvent = Pick<Printable<Event>, keyof Event>;

export const eventPrinter: Printer = printer<Event>(...columns<Printable<Event>>((event) => event));

/** The printer of events.k8s.io, where some fields have other names. */
export const newEventPrinter: Printer = printer<NewEvent>(...columns(toCoreEvent));

function columns<T>(toCore: (event: T) => AnyEvent): Array<Column<T>> {
  return [
    text("Last Seen", (event, now) => ageOf(lastSeen(toCore(event)), now)),
    text("Type", (event) => toCore(event).type ?? ""),
    text("Reason", (event) => toCore(event).reason ?? ""),
    text("Object", (event) => objectOf(toCore(event))),
    wide("Subobject", (event) => toCore(event).involvedObject?.fieldPath ?? ""),
    wide("Source", (event) => sourceOf(toCore(event))),
    text("Message", (event) => (toCore(event).message ?? "").trim()),
    wide("First Seen", (event, now) => ageOf(firstSeen(toCore(event)), now)),
    wide("Count", (event) => countOf(toCore(event))),
    asNameColumn(wide("Name", (event) => toCore(event).metadata?.name ?? "")),
  ];
}

function toCoreEvent(event: Printable<NewEvent>): AnyEvent {
  const { deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount, deprecatedSource } = event;
  return {
    metadata: event.metadata,
    type: event.type,
    reason: event.reason,
    message: event.note,
    involvedObject: event.regarding,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    eventTime: event.eventTime,
    count: deprecatedCount,
    series: event.series,
    reportingComponent: event.reportingController,
    reportingInstance: event.reportingInstance,
  };
}

function firstSeen({ firstTimestamp, eventTime }: AnyEvent): string | undefined {
  return firstTimestamp ?? eventTime;
}

function lastSeen(event: AnyEvent): string | undefined {
  return event.series ? event.series.lastObservedTime : (event.lastTimestamp ?? firstSeen(event));
}

function countOf({ series, count }: AnyEvent): number {
  return series ? (series.count ?? 0) : count || 1;
}

/** Returns the object of an Event: `pod/name`. */
function objectOf({ involvedObject }: AnyEvent): string {
  const kind = (involvedObject?.kind ?? "").toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function sourceOf({ source, reportingComponent, reportingInstance }: AnyEvent): string {
  const component = source?.component || (reportingComponent ?? "");
  const host = source?.host || reportingInstance;
  return host ? `${component}, ${host}` : component;
}
