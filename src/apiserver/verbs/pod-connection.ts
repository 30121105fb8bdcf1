import type { Pod } from "../../api/types/core/v1.ts";
import { storedObject } from "../codec/object-text.ts";
import { badRequest, internal } from "../types/status-error.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";

/** Refuses a connection to a Pod (exec, attach, portforward), because no containers run here. */
export async function connectPod(engine: Engine, call: Call): Promise<never> {
  const pod = storedObject(call.resource, find(engine, call)) as Pod; // Pods are stored under this key
  const container = call.request.query.get("container");
  if (container && call.subresource?.name !== "portforward" && !containersOf(pod).includes(container)) {
    throw badRequest(`container ${container} is not valid for pod ${call.name}`);
  }
  if (!pod.spec.nodeName) throw badRequest(`pod ${call.name} does not have a host assigned`);
  throw internal(`error dialing backend: no container of pod ${call.name} runs on ${pod.spec.nodeName}`);
}

/** Returns the names of all containers, in the order in which they start. */
export function containersOf({ spec }: Pod): string[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
}
