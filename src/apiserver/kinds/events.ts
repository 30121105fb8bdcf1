import type { Event as CoreEvent } from "../../api/types/core/v1.ts";
import type { Event } from "../../api/types/events/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

const unsupported = (field: string): string => `field label not supported: ${field}`;

export const events: readonly KindEntry[] = [
  entry<CoreEvent>("/Event", {
    name: "path-segment",
    createOnUpdate: true,
    default: (event) => writeNoTimes(event, ["firstTimestamp", "lastTimestamp", "eventTime"]),
    validate: ({ involvedObject, metadata }) =>
      namespaceErrors(metadata.namespace ?? "", involvedObject?.namespace ?? "", "involvedObject.namespace"),
    fields: {
      "involvedObject.kind": ({ involvedObject }) => involvedObject?.kind ?? "",
      "involvedObject.namespace": ({ involvedObject }) => involvedObject?.namespace ?? "",
      "involvedObject.name": ({ involvedObject }) => involvedObject?.name ?? "",
      "involvedObject.uid": ({ involvedObject }) => involvedObject?.uid ?? "",
      "involvedObject.apiVersion": ({ involvedObject }) => involvedObject?.apiVersion ?? "",
      "involvedObject.resourceVersion": ({ involvedObject }) => involvedObject?.resourceVersion ?? "",
      "involvedObject.fieldPath": ({ involvedObject }) => involvedObject?.fieldPath ?? "",
      reason: ({ reason }) => reason ?? "",
      reportingComponent: ({ reportingComponent }) => reportingComponent ?? "",
      source: ({ source, reportingComponent }) => source?.component || (reportingComponent ?? ""),
      type: ({ type }) => type ?? "",
    },
    unknownField: unsupported,
  }),
  entry<Event>("events.k8s.io/Event", {
    name: "path-segment",
    createOnUpdate: true,
    fields: {
      "regarding.kind": ({ regarding }) => regarding?.kind ?? "",
      "regarding.namespace": ({ regarding }) => regarding?.namespace ?? "",
      "regarding.name": ({ regarding }) => regarding?.name ?? "",
      "regarding.uid": ({ regarding }) => regarding?.uid ?? "",
      "regarding.apiVersion": ({ regarding }) => regarding?.apiVersion ?? "",
      "regarding.resourceVersion": ({ regarding }) => regarding?.resourceVersion ?? "",
      "regarding.fieldPath": ({ regarding }) => regarding?.fieldPath ?? "",
      reason: ({ reason }) => reason ?? "",
      reportingController: ({ reportingController }) => reportingController ?? "",
      type: ({ type }) => type ?? "",
    },
    unknownField: unsupported,
  }),
];

/** Times that are not set are null: Go writes them whatever they are. */
function writeNoTimes<T extends object>(event: T, fields: ReadonlyArray<keyof T & string>): void {
  for (const field of fields) if (event[field] === undefined) Reflect.set(event, field, null);
}

/** An event is where its object is; of one without a namespace it is in `default`. */
function namespaceErrors(namespace: string, about: string, field: string): FieldError[] {
  const fits =
    about === namespace || (about === "" && (namespace === "default" || namespace === "kube-system"));
  return fits ? [] : [invalid(field, about, "does not match event.namespace")];
}
