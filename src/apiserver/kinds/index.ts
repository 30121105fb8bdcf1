/**
 * What built-in kinds do differently from all others: one file a group, one entry a kind.
 *
 * A kind without an entry is served by the generic engine alone.
 *
 * @module
 */
import type { Strategy } from "../resource.ts";
import { admissionregistration } from "./admissionregistration.ts";
import { apps } from "./apps.ts";
import { batch } from "./batch.ts";
import { classes } from "./classes.ts";
import { configuration } from "./configuration.ts";
import { coordination } from "./coordination.ts";
import { core } from "./core.ts";
import { events } from "./events.ts";
import { networking } from "./networking.ts";
import { pods } from "./pods.ts";
import { policy } from "./policy.ts";
import { rbac } from "./rbac.ts";
import { services } from "./services.ts";

/** By group and kind: `"apps/Deployment"`, `"/Pod"`. */
export const strategies: ReadonlyMap<string, Strategy> = new Map([
  ...core,
  ...pods,
  ...services,
  ...configuration,
  ...events,
  ...apps,
  ...batch,
  ...coordination,
  ...networking,
  ...policy,
  ...rbac,
  ...admissionregistration,
  ...classes,
]);
