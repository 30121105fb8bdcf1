import type { KubeObject } from "../../api/index.ts";
import { equal } from "../../schema/index.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Resource } from "../types/resource.ts";
import { parseStored, plainDocument } from "./document.ts";
import { storable, unpruned } from "./object-meta.ts";

/**
 * Returns an object as it is stored after an apply. An object of a custom kind keeps values that reads do not return,
 * such as empty annotations, until another write removes them. The next write without them therefore creates a new
 * version.
 */
export function appliedDraft({ codec }: Resource, object: KubeObject): KubeObject {
  if (!codec.asApplied) return storable(object);
  const whole = unpruned(object);
  const visible = storable(visibleOf(codec, object));
  return equal(whole, visible) ? visible : whole;
}

/** Returns an applied object as reads return it. */
export function visibleOf(codec: Resource["codec"], object: KubeObject): KubeObject {
  return codec.asApplied ? codec.decode(plainDocument(object)).object : object;
}

/** Returns the stored object if it contains more than reads return, else `undefined`. */
export function hiddenDraft({ json }: StoredEntry): KubeObject | undefined {
  // Only objects are stored.
  return json.startsWith(unprunedHead) ? (parseStored(json) as KubeObject) : undefined;
}

const unprunedHead = '{"apiVersion":';
