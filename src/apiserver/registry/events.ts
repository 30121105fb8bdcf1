import type { Event as CoreEvent } from "../../api/types/core/v1.ts";
import type { Event } from "../../api/types/events/v1.ts";
import { coreEvent, groupedEvent } from "./event-conversion.ts";
import { eventErrors, newEventChange, newEventErrors } from "./event-errors.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

const unsupported = (field: string): string => `field label not supported: ${field}`;

export const events: readonly KindEntry[] = [
  entry<CoreEvent>("/Event", {
    name: "path-segment",
    createOnUpdate: true,
    fromStored: coreEvent,
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
  entry<Event>("events.k8s.io/Event", {
    name: "path-segment",
    createOnUpdate: true,
    refusedAs: "",
    fromStored: groupedEvent,
    validateCreate: (event) => newEventErrors(coreEvent(event)),
    validateUpdate: (event, before) => newEventChange(coreEvent(event), coreEvent(before)),
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
