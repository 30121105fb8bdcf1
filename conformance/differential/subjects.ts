import { bags } from "./bags.ts";
import { configMaps } from "./configmaps.ts";
import { deployments } from "./deployments.ts";
import { pods } from "./pods.ts";
import { rings } from "./rings.ts";
import { services } from "./services.ts";
import type { Subject } from "./subject.ts";

/** The kinds of the scripts. */
export const subjects: readonly Subject[] = [configMaps, rings, bags, deployments, services, pods];
