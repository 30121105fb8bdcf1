import { byteBoundariesTarget } from "./byte-boundaries.ts";
import { cacheTarget } from "./cache.ts";
import { corruptionTarget } from "./corruption.ts";
import { electionProcessesTarget } from "./election-processes.ts";
import { electionsTarget } from "./elections.ts";
import { httpResponsesTarget } from "./http-responses.ts";
import { httpServerTarget } from "./http-server.ts";
import { jsonTarget } from "./json.ts";
import { kubeconfigTarget } from "./kubeconfig.ts";
import { objectsTarget } from "./objects.ts";
import { protobufTarget } from "./protobuf.ts";
import type { FuzzTarget } from "./target.ts";
import { yamlTarget } from "./yaml.ts";

export const targets: readonly FuzzTarget[] = [
  cacheTarget(),
  objectsTarget,
  byteBoundariesTarget(),
  corruptionTarget(),
  httpServerTarget(),
  httpResponsesTarget(),
  jsonTarget(),
  protobufTarget(),
  yamlTarget(),
  kubeconfigTarget(),
  electionsTarget,
  electionProcessesTarget,
];
