import type { KubeObject } from "../../api/index.ts";
import type { Pod } from "../../api/types/core/v1.ts";
import { TimeSlice, type WaitingSteps } from "../../base/index.ts";
import { storedObject } from "../codec/object-text.ts";
import { badRequest, internal } from "../types/status-error.ts";
import { admitMutating, admitValidating } from "./admit.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";

/** Refuses a connection to a Pod (exec, attach, portforward), because no containers run here. */
export async function connectPod(engine: Engine, call: Call): Promise<never> {
  await new TimeSlice(engine.clock).run(admitConnection(engine, call));
  const pod = storedObject(call.resource, find(engine, call)) as Pod; // Pods are stored under this key
  if (call.subresource?.name !== "portforward") checkContainer(pod, call);
  if (!pod.spec.nodeName) throw badRequest(`pod ${call.name} does not have a host assigned`);
  throw internal(`error dialing backend: no container of pod ${call.name} runs on ${pod.spec.nodeName}`);
}

/** Calls the webhooks of a connection. They see its options, such as the command. */
function* admitConnection(engine: Engine, call: Call): WaitingSteps<void> {
  const write = {
    operation: "CONNECT",
    object: connectionOptions(call),
    options: { dryRun: false },
  } as const;
  yield* admitMutating(engine, call, write);
  yield* admitValidating(engine, call, write);
}

function connectionOptions({ request: { query }, subresource }: Call): KubeObject {
  const flags = ["stdin", "stdout", "stderr", "tty"].filter((name) => query.get(name) === "true");
  const [container, command, ports] = [
    query.get("container"),
    query.getAll("command"),
    query.getAll("ports"),
  ];
  const options = {
    kind: subresource?.kind ?? "",
    apiVersion: "v1",
    ...Object.fromEntries(flags.map((name) => [name, true])),
    ...(container && { container }),
    ...(command.length > 0 && { command }),
    ...(ports.length > 0 && { ports: ports.map(Number) }),
  };
  return options as unknown as KubeObject; // it has no metadata
}

/** Checks the container that a request chooses. A Pod with one container needs no choice. */
export function checkContainer(pod: Pod, { request, name }: Call): void {
  const container = request.query.get("container");
  const all = containersOf(pod);
  if (container && !all.includes(container))
    throw badRequest(`container ${container} is not valid for pod ${name}`);
  if (container || pod.spec.containers.length === 1) return;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(" ")}]`);
}

/** Returns the names of all containers, in the order in which they start. */
export function containersOf({ spec }: Pod): string[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
}
