import { cacheTarget } from "./cache.ts";
import { corruptionTarget } from "./corruption.ts";
import { jsonTarget } from "./json.ts";
import { kubeconfigTarget } from "./kubeconfig.ts";
import { objectsTarget } from "./objects.ts";
import type { FuzzTarget } from "./target.ts";

export const targets: readonly FuzzTarget[] = [
  cacheTarget(),
  objectsTarget,
  corruptionTarget(),
  jsonTarget(),
  kubeconfigTarget(),
];
