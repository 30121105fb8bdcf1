import type { Event } from "../../api/types/core/v1.ts";
import type { Event as NewEvent } from "../../api/types/events/v1.ts";
import { ageOf } from "./age.ts";
import { type Column, naming, type Printer, printer, type Shown, text, wide } from "./column.ts";

/** An Event of either group, as the core group calls its fields. */
type AnyEvent = Pick<Shown<Event>, keyof Event>;

export const eventPrinter: Printer = printer<Event>(...columns<Shown<Event>>((event) => event));

/** For events.k8s.io, where the old fields have other names. */
export const newEventPrinter: Printer = printer<NewEvent>(...columns(coreEvent));

function columns<T>(read: (event: T) => AnyEvent): Array<Column<T>> {
  return [
    text("Last Seen", (event, now) => ageOf(lastSeen(read(event)), now)),
    text("Type", (event) => read(event).type ?? ""),
    text("Reason", (event) => read(event).reason ?? ""),
    text("Object", (event) => objectOf(read(event))),
    wide("Subobject", (event) => read(event).involvedObject?.fieldPath ?? ""),
    wide("Source", (event) => sourceOf(read(event))),
    text("Message", (event) => (read(event).message ?? "").trim()),
    wide("First Seen", (event, now) => ageOf(firstSeen(read(event)), now)),
    wide("Count", (event) => countOf(read(event))),
    naming(wide("Name", (event) => read(event).metadata?.name ?? "")),
  ];
}

function coreEvent(event: Shown<NewEvent>): AnyEvent {
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

/** `pod/name` */
function objectOf({ involvedObject }: AnyEvent): string {
  const kind = (involvedObject?.kind ?? "").toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function sourceOf({ source, reportingComponent, reportingInstance }: AnyEvent): string {
  const component = source?.component || (reportingComponent ?? "");
  const host = source?.host || reportingInstance;
  return host ? `${component}, ${host}` : component;
}
