import type { Definition, Resource, ServedSubresource } from "../types/resource.ts";
import { autoscaling } from "./autoscaling.ts";
import { createdAt, name, type Printer, type Printers, printer } from "./column.ts";
import { core } from "./core.ts";
import { customPrinter, customScalePrinter } from "./custom.ts";
import { newEventPrinter } from "./event.ts";
import {
  apiregistration,
  certificates,
  coordination,
  discovery,
  node,
  resource as resources,
  scheduling,
} from "./infrastructure.ts";
import { networking } from "./networking.ts";
import { admissionregistration, flowcontrol, policy, rbac } from "./policies.ts";
import { storage } from "./storage.ts";
import { apps, batch } from "./workloads.ts";

/** Returns the printer of a resource or of one of its subresources. */
export function printerOf(resource: Resource, subresource?: ServedSubresource): Printer {
  const { group, kind } = subresource ?? resource;
  if (!resource.custom) return groups[group]?.[kind] ?? genericPrinter;
  if (kind === "Scale" && group === "autoscaling") return customScalePrinter;
  return customPrinterOf(resource.definition ?? noDefinition);
}

const groups: Readonly<Record<string, Printers>> = {
  "": core,
  "admissionregistration.k8s.io": admissionregistration,
  "apiregistration.k8s.io": apiregistration,
  apps,
  autoscaling,
  batch,
  "certificates.k8s.io": certificates,
  "coordination.k8s.io": coordination,
  "discovery.k8s.io": discovery,
  "events.k8s.io": { Event: newEventPrinter },
  "flowcontrol.apiserver.k8s.io": flowcontrol,
  "networking.k8s.io": networking,
  "node.k8s.io": node,
  policy,
  "rbac.authorization.k8s.io": rbac,
  "resource.k8s.io": resources,
  "scheduling.k8s.io": scheduling,
  "storage.k8s.io": storage,
};

const genericPrinter: Printer = printer(name, createdAt);

const noDefinition: Definition = { storageVersion: "" };

function customPrinterOf(definition: Definition): Printer {
  const cached = customPrinters.get(definition);
  if (cached) return cached;
  const created = customPrinter(definition);
  customPrinters.set(definition, created);
  return created;
}

const customPrinters = new WeakMap<Definition, Printer>();
