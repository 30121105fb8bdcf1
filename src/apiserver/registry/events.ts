import type { Event as CoreEvent } from "../../api/types/core/v1.ts";
import type { Event } from "../../api/types/events/v1.ts";
import { toCoreEvent, toGroupedEvent } from "./event-conversion.ts";
import { eventErrors, newEventErrors, newEventUpdateErrors } from "./event-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";

const unsupported = (field: string): string => `field label not supported: ${field}`;

export const events: readonly KindEntry[] = [
  kindEntry<CoreEvent>("/Event", {
    name: "path-segment",
    createOnUpdate: true,
    fromStored: toCoreEvent,
    validate: (event) => eventErrors(event, "reportingComponent"),
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
  kindEntry<Event>("events.k8s.io/Event", {
    name: "path-segment",
    createOnUpdate: true,
    refusedAs: "",
    fromStored: toGroupedEvent,
    validateCreate: (event) => newEventErrors(toCoreEvent(event)),
    validateUpdate: (event, before) => newEventUpdateErrors(toCoreEvent(event), toCoreEvent(before)),
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
