import type { Event as CoreEvent } from "../../api/types/core/v1.ts";
import { equal, type FieldError, GoStruct, invalid, required } from "../../schema/index.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { requiredErrors } from "./value-errors.ts";

/** Returns the errors of an Event. Events with `eventTime` need a reporter, an action and a reason. */
export function eventErrors(
  event: CoreEvent,
  reporter: "reportingComponent" | "reportingController",
): FieldError[] {
  const { metadata, involvedObject } = event;
  const objectNamespace = involvedObject?.namespace ?? "";
  if (!event.eventTime) return namespaceErrors(metadata.namespace ?? "", objectNamespace, ["default"]);
  return [
    ...(objectNamespace === ""
      ? namespaceErrors(metadata.namespace ?? "", objectNamespace, ["default", "kube-system"])
      : []),
    ...requiredErrors(event.reportingComponent, reporter),
    ...qualifiedNameProblems(event.reportingComponent ?? "").map((problem) =>
      invalid(reporter, event.reportingComponent ?? "", problem),
    ),
    ...shortTextErrors(event.reportingInstance, "reportingInstance"),
    ...shortTextErrors(event.action, "action"),
    ...shortTextErrors(event.reason, "reason"),
    ...((event.message ?? "").length > 1024
      ? [invalid("message", "", "can have at most 1024 characters")]
      : []),
  ];
}

/**
 * Returns an error unless the Event is in the namespace of its object. Events about cluster-scoped objects are in one
 * of `defaults`.
 */
function namespaceErrors(
  namespace: string,
  objectNamespace: string,
  defaults: readonly string[],
): FieldError[] {
  const matches = objectNamespace === namespace || (objectNamespace === "" && defaults.includes(namespace));
  return matches
    ? []
    : [invalid("involvedObject.namespace", objectNamespace, "does not match event.namespace")];
}

function shortTextErrors(text: string | undefined, field: string): FieldError[] {
  if (!text) return [required(field)];
  return text.length > 128 ? [invalid(field, "", "can have at most 128 characters")] : [];
}

/** Returns the errors of an Event in events.k8s.io/v1, which has stricter rules. */
export function newEventErrors(event: CoreEvent): FieldError[] {
  return [
    ...eventErrors(event, "reportingController"),
    ...(event.eventTime ? [] : [required("eventTime")]),
    ...seriesErrors(event.series),
    ...(event.type === "Normal" || event.type === "Warning"
      ? []
      : [invalid("type", "", `has invalid value: ${event.type ?? ""}`)]),
    ...deprecatedFieldErrors(event),
  ];
}

function seriesErrors(series: CoreEvent["series"]): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(series.lastObservedTime ? [] : [required("series.lastObservedTime")]),
  ];
}

/** Returns the errors for fields that only the core API may set. */
function deprecatedFieldErrors({ firstTimestamp, lastTimestamp, count, source }: CoreEvent): FieldError[] {
  const deprecatedFields: ReadonlyArray<readonly [string, unknown]> = [
    ["firstTimestamp", firstTimestamp],
    ["lastTimestamp", lastTimestamp],
    ["count", count],
    ["source", source?.component || source?.host],
  ];
  return deprecatedFields
    .filter(([, value]) => value)
    .map(([field]) => invalid(field, "", "needs to be unset"));
}

/** The fields that cannot change. kube-apiserver checks and reports the reason twice. */
const immutableFields = [
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

/** Returns the errors for changes of an Event in events.k8s.io/v1. Only the series may change. */
export function newEventUpdateErrors(event: CoreEvent, before: CoreEvent): FieldError[] {
  return immutableFields
    .filter((field) => !equal(event[field] ?? null, before[field] ?? null))
    .map((field) => invalid(reportedName(field), printedValue(field, event[field]), "field is immutable"));
}

function reportedName(field: string): string {
  return field === "reportingComponent" ? "reportingController" : field;
}

function printedValue(field: string, value: unknown): unknown {
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

/** Formats a reference as Go prints it. */
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
