import type { Pod } from "../../api/types/core/v1.ts";
import { storedObject } from "../codec/object-text.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import { checkContainer } from "./pod-connection.ts";
import type { TextResult } from "./verb-result.ts";

/** Handles GET of a Pod's log. It is empty, because no containers run here. A Pod without a node has no log. */
export async function podLog(engine: Engine, call: Call): Promise<TextResult> {
  const pod = storedObject(call.resource, find(engine, call)) as Pod; // Pods are stored under this key
  checkContainer(pod, call);
  return { type: "text", text: pod.spec.nodeName ? "" : undefined };
}
