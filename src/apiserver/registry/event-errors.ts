import type { Event as CoreEvent } from "../../api/types/core/v1.ts";
import { equal, type FieldError, GoStruct, invalid, required } from "../../schema/index.ts";
import { qualifiedNameFaults } from "../name-rules.ts";
import { missing } from "./value-errors.ts";

/** What is wrong with an Event. Those with a time of their own say who reports what. */
export function eventErrors(
  event: CoreEvent,
  reporter: "reportingComponent" | "reportingController",
): FieldError[] {
  const { metadata, involvedObject } = event;
  const about = involvedObject?.namespace ?? "";
  if (!event.eventTime) return namespaceErrors(metadata.namespace ?? "", about, ["default"]);
  return [
    ...(about === "" ? namespaceErrors(metadata.namespace ?? "", about, ["default", "kube-system"]) : []),
    ...missing(event.reportingComponent, reporter),
    ...qualifiedNameFaults(event.reportingComponent ?? "").map((fault) =>
      invalid(reporter, event.reportingComponent ?? "", fault),
    ),
    ...shortTextErrors(event.reportingInstance, "reportingInstance"),
    ...shortTextErrors(event.action, "action"),
    ...shortTextErrors(event.reason, "reason"),
    ...((event.message ?? "").length > 1024
      ? [invalid("message", "", "can have at most 1024 characters")]
      : []),
  ];
}

/** An event is where its object is. */
function namespaceErrors(namespace: string, about: string, homes: readonly string[]): FieldError[] {
  const fits = about === namespace || (about === "" && homes.includes(namespace));
  return fits ? [] : [invalid("involvedObject.namespace", about, "does not match event.namespace")];
}

function shortTextErrors(text: string | undefined, field: string): FieldError[] {
  if (!text) return [required(field)];
  return text.length > 128 ? [invalid(field, "", "can have at most 128 characters")] : [];
}

/** What the newer API asks of an Event on top. */
export function newEventErrors(event: CoreEvent): FieldError[] {
  return [
    ...eventErrors(event, "reportingController"),
    ...(event.eventTime ? [] : [required("eventTime")]),
    ...seriesErrors(event.series),
    ...(event.type === "Normal" || event.type === "Warning"
      ? []
      : [invalid("type", "", `has invalid value: ${event.type ?? ""}`)]),
    ...unsetErrors(event),
  ];
}

function seriesErrors(series: CoreEvent["series"]): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(series.lastObservedTime ? [] : [required("series.lastObservedTime")]),
  ];
}

/** What only older recorders say. */
function unsetErrors({ firstTimestamp, lastTimestamp, count, source }: CoreEvent): FieldError[] {
  const given: ReadonlyArray<readonly [string, unknown]> = [
    ["firstTimestamp", firstTimestamp],
    ["lastTimestamp", lastTimestamp],
    ["count", count],
    ["source", source?.component || source?.host],
  ];
  return given.filter(([, value]) => value).map(([field]) => invalid(field, "", "needs to be unset"));
}

/** The reason twice: the real server looks at it twice, and tells so. */
const fixed = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "reason",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingComponent",
  "reportingInstance",
] as const;

/** In the newer API only the series goes on. */
export function newEventChange(event: CoreEvent, before: CoreEvent): FieldError[] {
  return fixed
    .filter((field) => !equal(event[field] ?? null, before[field] ?? null))
    .map((field) => invalid(shown(field), printed(field, event[field]), "field is immutable"));
}

function shown(field: string): string {
  return field === "reportingComponent" ? "reportingController" : field;
}

function printed(field: string, value: unknown): unknown {
  if (field === "source") {
    const { component = "", host = "" } = (value ?? {}) as NonNullable<CoreEvent["source"]>;
    return new GoStruct({ Component: component, Host: host });
  }
  if (field === "count") return value ?? 0;
  if (field.endsWith("Timestamp") || field === "eventTime") return value ?? null;
  if (field === "involvedObject" || field === "related")
    return value ? goReference(value as CoreEvent["involvedObject"]) : null;
  return value ?? "";
}

/** References are printed as Go has them. */
function goReference(reference: CoreEvent["involvedObject"]): unknown {
  const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = reference;
  return new GoStruct({
    Kind: kind ?? "",
    Namespace: namespace ?? "",
    Name: name ?? "",
    UID: uid ?? "",
    APIVersion: apiVersion ?? "",
    ResourceVersion: resourceVersion ?? "",
    FieldPath: fieldPath ?? "",
  });
}
