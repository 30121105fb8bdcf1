import type { KubeObject, ObjectKey } from "../api/index.ts";
import type { ChangeType, ScannedEvent } from "../transport/index.ts";
import type { WatchEvent } from "./options.ts";

/** Returns the watch event for a parsed object. */
export function watchEventOf<T extends KubeObject>(type: ChangeType, object: T): WatchEvent<T> {
  const { namespace, name, resourceVersion } = object.metadata;
  return { type, key: keyFrom(namespace, name), resourceVersion, object };
}

/** Returns the error for text that cannot be parsed. */
export type Unparsable = (text: string, cause: unknown) => Error;

/**
 * A watch event whose object is parsed once, on first access.
 *
 * `object` is an own property, so that copies and comparisons include it. All events share one getter: with one getter
 * per event, V8 would create a hidden class for each, which would keep the object alive.
 */
export class LazyWatchEvent<T extends KubeObject> {
  readonly type: ChangeType;
  readonly key: ObjectKey;
  readonly resourceVersion: string;
  declare readonly object: T;
  readonly #text: string;
  readonly #unparsable: Unparsable;
  #object: T | undefined = undefined;

  constructor(scanned: ScannedEvent, unparsable: Unparsable) {
    this.type = scanned.type;
    this.key = keyFrom(scanned.namespace, scanned.name);
    this.resourceVersion = scanned.resourceVersion;
    this.#text = scanned.text;
    this.#unparsable = unparsable;
    Object.defineProperty(this, "object", LazyWatchEvent.#parsedObject);
  }

  static readonly #parsedObject: PropertyDescriptor & ThisType<LazyWatchEvent<KubeObject>> = {
    enumerable: true,
    get(): unknown {
      this.#object ??= this.#parse();
      return this.#object;
    },
  };

  #parse(): T {
    try {
      return JSON.parse(this.#text) as T; // the server sends objects of the requested kind
    } catch (cause) {
      throw this.#unparsable(this.#text, cause);
    }
  }
}

function keyFrom(namespace: string | undefined, name: string): ObjectKey {
  return namespace ? { namespace, name } : { name };
}
