import type { Pod } from "../api/types/core/v1.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import { storedObject } from "./object-text.ts";
import { badRequest, internal } from "./status-error.ts";

/** A connection to a Pod (exec, attach, portforward), which is always refused: no container runs here. */
export async function connectPod(engine: Engine, call: Call): Promise<never> {
  const pod = storedObject(call.resource, find(engine, call)) as Pod; // as it is stored there
  const asked = call.request.query.get("container");
  if (asked && call.subresource?.name !== "portforward" && !containersOf(pod).includes(asked)) {
    throw badRequest(`container ${asked} is not valid for pod ${call.name}`);
  }
  if (!pod.spec.nodeName) throw badRequest(`pod ${call.name} does not have a host assigned`);
  throw internal(`error dialing backend: no container of pod ${call.name} runs on ${pod.spec.nodeName}`);
}

/** Names of all its containers, in the order they start. */
export function containersOf({ spec }: Pod): string[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
}
