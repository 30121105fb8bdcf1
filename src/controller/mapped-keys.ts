import { inspect } from "node:util";
import { type Kind, type KubeObject, kindName, type ObjectKey } from "../api/index.ts";
import type { ObjectEvent } from "../cache/index.ts";
import { queueKey } from "./full-key.ts";

/** An object to reconcile, as a mapper returns it: its key, its key as text, or the object. */
export type Mapped = ObjectKey | string | { readonly kind?: string; readonly metadata: ObjectKey };

/** The kinds that a mapper connects. */
export interface MappedKinds {
  /** The kind that is reconciled. */
  readonly primary: Kind;
  /** The kind that is watched. */
  readonly watched: Kind;
}

/** Returns the queue keys that a mapper returns for the object before and after the event. */
export function mappedKeys(
  event: ObjectEvent<KubeObject>,
  kinds: MappedKinds,
  map: (object: KubeObject) => Iterable<Mapped>,
): Set<string> {
  const keys = new Set<string>();
  const add = (object: KubeObject): void => {
    for (const each of map(object)) keys.add(mappedKey(each, object, kinds));
  };
  add(event.object);
  if (event.type === "updated") add(event.previous);
  return keys;
}

/** A bare name means the namespace of the mapped object. Returns invalid texts unchanged. */
function mappedKey(mapped: Mapped, { metadata }: KubeObject, kinds: MappedKinds): string {
  const { primary, watched } = kinds;
  const key = keyOrText(mapped, kinds);
  const { namespace } = metadata;
  if (primary.namespaced && namespace === undefined && isBareName(key)) {
    throw new TypeError(
      `expected the mapper of ${kindName(watched)} to return keys with a namespace, because ${kindName(primary)} is ` +
        `namespaced and ${kindName(watched)} is not; got ${inspect(mapped)} for ${JSON.stringify(metadata.name)}; ` +
        "return { namespace, name }",
    );
  }
  return queueKey(primary, key, namespace ?? "");
}

function keyOrText(mapped: Mapped, kinds: MappedKinds): ObjectKey | string {
  if (typeof mapped === "string") return mapped;
  const isObject = typeof mapped === "object" && mapped !== null && "metadata" in mapped;
  if (isObject) checkKind(mapped.kind, kinds);
  const key = isObject ? mapped.metadata : mapped;
  if (typeof (key as ObjectKey | undefined)?.name === "string") return key;
  throw new TypeError(`${expectedKeys(kinds)}, got ${inspect(mapped, { depth: 0 })}`);
}

/** Throws for an object that says to be of another kind. */
function checkKind(kind: string | undefined, kinds: MappedKinds): void {
  if (kind === undefined || kind === kinds.primary.kind || kind === partialKind) return;
  throw new TypeError(`${expectedKeys(kinds)}, got a ${kind}`);
}

function expectedKeys({ primary, watched }: MappedKinds): string {
  return `expected the mapper of ${kindName(watched)} to return keys or objects of ${kindName(primary)}`;
}

/** The kind of objects that are cached as metadata only. */
const partialKind = "PartialObjectMetadata";

function isBareName(key: ObjectKey | string): boolean {
  if (typeof key === "string") return key !== "" && !key.includes("/");
  return key.namespace === undefined || key.namespace === "";
}
