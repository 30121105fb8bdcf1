import type { KubeObject } from "../api/index.ts";
import { equal } from "../schema/index.ts";
import { parseStored, plainDocument } from "./document.ts";
import { storable, unpruned } from "./object-meta.ts";
import type { Resource } from "./resource.ts";
import type { StoredEntry } from "./storage.ts";

/**
 * An object as it is stored after an apply. That of a custom kind keeps what nobody is shown, like empty annotations,
 * until somebody writes it otherwise; so the next write that leaves this out gives a new version.
 */
export function appliedDraft({ codec }: Resource, object: KubeObject): KubeObject {
  if (!codec.asApplied) return storable(object);
  const whole = unpruned(object);
  const shown = storable(shownOf(codec, object));
  return equal(whole, shown) ? shown : whole;
}

/** What is shown of an object that was applied. */
export function shownOf(codec: Resource["codec"], object: KubeObject): KubeObject {
  return codec.asApplied ? codec.decode(plainDocument(object)).object : object;
}

/** What is stored, where that is more than is shown of it; else nothing. */
export function hiddenDraft({ json }: StoredEntry): KubeObject | undefined {
  // What is stored was an object when it was written.
  return json.startsWith(unprunedHead) ? (parseStored(json) as KubeObject) : undefined;
}

const unprunedHead = '{"apiVersion":';
