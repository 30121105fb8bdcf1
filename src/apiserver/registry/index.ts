/**
 * The strategies of the built-in kinds: one file per API group, one entry per kind. A kind without an entry has the
 * defaults of the generic engine.
 *
 * @module
 */
import type { Strategy } from "../types/resource.ts";
import { admissionregistration } from "./admissionregistration.ts";
import { apiregistration } from "./apiregistration.ts";
import { apps } from "./apps.ts";
import { autoscaling } from "./autoscaling.ts";
import { batch } from "./batch.ts";
import { certificates } from "./certificates.ts";
import { classes } from "./classes.ts";
import { configuration } from "./configuration.ts";
import { coordination } from "./coordination.ts";
import { core } from "./core.ts";
import { daemonSets } from "./daemon-sets.ts";
import { dynamicResources } from "./dynamic-resources.ts";
import { endpoints } from "./endpoints.ts";
import { events } from "./events.ts";
import { flowcontrol } from "./flowcontrol.ts";
import { networking } from "./networking.ts";
import { nodes } from "./nodes.ts";
import { pods } from "./pods.ts";
import { policy } from "./policy.ts";
import { quotas } from "./quotas.ts";
import { rbac } from "./rbac.ts";
import { services } from "./services.ts";
import { statefulSets } from "./stateful-sets.ts";
import { storage } from "./storage.ts";
import { volumes } from "./volumes.ts";

/** The strategies by group and kind: `"apps/Deployment"`, `"/Pod"`. */
export const strategies: ReadonlyMap<string, Strategy> = new Map([
  ...core,
  ...pods,
  ...nodes,
  ...services,
  ...configuration,
  ...endpoints,
  ...events,
  ...apps,
  ...daemonSets,
  ...statefulSets,
  ...batch,
  ...coordination,
  ...networking,
  ...policy,
  ...rbac,
  ...admissionregistration,
  ...apiregistration,
  ...classes,
  ...autoscaling,
  ...certificates,
  ...dynamicResources,
  ...flowcontrol,
  ...storage,
  ...quotas,
  ...volumes,
]);
