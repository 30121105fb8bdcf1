import type { Pod } from "../api/types/core/v1.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import { storedObject } from "./object-text.ts";
import { containersOf } from "./pod-connection.ts";
import { badRequest } from "./status-error.ts";
import type { TextResult } from "./verb-result.ts";

/** GET of a Pod's log: no container runs here, so there is nothing in it. One that is on no node has none. */
export async function podLog(engine: Engine, call: Call): Promise<TextResult> {
  const pod = storedObject(call.resource, find(engine, call)) as Pod; // as it is stored there
  const { containers } = pod.spec;
  const asked = call.request.query.get("container");
  if (asked && !containersOf(pod).includes(asked))
    throw badRequest(`container ${asked} is not valid for pod ${call.name}`);
  if (!asked && containers.length > 1) {
    const choice = `choose one of: [${containers.map(({ name }) => name).join(" ")}]`;
    throw badRequest(`a container name must be specified for pod ${call.name}, ${choice}`);
  }
  return { type: "text", text: pod.spec.nodeName ? "" : undefined };
}
