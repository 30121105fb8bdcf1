import type { Pod } from "../../api/types/core/v1.ts";
import { storedObject } from "../codec/object-text.ts";
import { badRequest } from "../types/status-error.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import { containersOf } from "./pod-connection.ts";
import type { TextResult } from "./verb-result.ts";

/** Handles GET of a Pod's log. It is empty, because no containers run here. A Pod without a node has no log. */
export async function podLog(engine: Engine, call: Call): Promise<TextResult> {
  const pod = storedObject(call.resource, find(engine, call)) as Pod; // Pods are stored under this key
  const { containers } = pod.spec;
  const container = call.request.query.get("container");
  if (container && !containersOf(pod).includes(container))
    throw badRequest(`container ${container} is not valid for pod ${call.name}`);
  if (!container && containers.length > 1) {
    const choice = `choose one of: [${containers.map(({ name }) => name).join(" ")}]`;
    throw badRequest(`a container name must be specified for pod ${call.name}, ${choice}`);
  }
  return { type: "text", text: pod.spec.nodeName ? "" : undefined };
}
