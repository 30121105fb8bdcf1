import type { KubeObject, ObjectKey } from "../api/index.ts";
import type { ChangeType, ScannedEvent } from "../transport/index.ts";
import type { WatchEvent } from "./options.ts";

/** The event of a change to an object that is at hand. */
export function changeOf<T extends KubeObject>(type: ChangeType, object: T): WatchEvent<T> {
  const { namespace, name, resourceVersion } = object.metadata;
  return { type, key: keyFrom(namespace, name), resourceVersion, object };
}

/** Makes an error of what cannot be parsed. */
export type Unparsable = (text: string, cause: unknown) => Error;

/**
 * The event of a change to an object that is still text: it is parsed once, when it is first looked at.
 *
 * `object` is the event's own, so that copies and comparisons see it, but its getter is everyone's: V8 would keep a
 * shape for each getter, and with it the object, for as long as shapes live.
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
      return JSON.parse(this.#text) as T; // the kind asked for is what comes
    } catch (cause) {
      throw this.#unparsable(this.#text, cause);
    }
  }
}

function keyFrom(namespace: string | undefined, name: string): ObjectKey {
  return namespace ? { namespace, name } : { name };
}
