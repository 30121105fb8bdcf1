import { type AnyKind, apiVersionOf, type KubeObject, type Status } from "../../api/index.ts";
import { asError } from "../../base/index.ts";
import {
  ByteMatcher,
  type ChangeType,
  EventScan,
  endOfValue,
  MetadataScan,
  maxDepth,
  type ParsedEvent,
  parseEvent,
} from "../../transport/index.ts";
import { type AdaptiveCompressor, maxCompressibleBytes } from "./adaptive-compressor.ts";
import type { WatchDelta } from "./delta-queue.ts";
import { Entry, type Identity } from "./entry.ts";
import { ScannedSource, SerializedSource } from "./entry-source.ts";
import { JsonValidator } from "./json-validator.ts";
import { release, retain, type Slab } from "./slab.ts";

/** One line of a watch. */
export type Frame =
  | WatchDelta
  | {
      readonly type: "bookmark";
      readonly resourceVersion: string;
      /** True on the bookmark that ends the initial events. */
      readonly initialEventsEnd: boolean;
    }
  /** The server ends the watch with this status. */
  | { readonly type: "error"; readonly status: Status }
  | DecodeFailure;

/** An undecodable object: not a valid object of this kind, or the user's transform threw. */
export interface DecodeFailure {
  readonly type: "undecodable";
  readonly error: Error;
  /** `namespace/name` of the object, if that much could be decoded. */
  readonly key: string | undefined;
  /** Resource version of the object, if it could be decoded. The watch resumes from it. */
  readonly resourceVersion: string | undefined;
  /** Type of the watch event; `undefined` for an object of a list. */
  readonly change?: WatchDelta["type"] | undefined;
}

export interface EntryReaderOptions<T extends KubeObject> {
  readonly kind: AnyKind<T>;
  readonly slab: Slab;
  /** Compresses entries, unless `skipCompression` is set. @default no compression */
  readonly compressor?: AdaptiveCompressor | undefined;
  /** Keeps `metadata.managedFields`. @default false */
  readonly managedFields?: boolean | undefined;
  /** Applied to every object before it becomes an entry. If it throws, the object is undecodable. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Returns the stored entry of an object. It is returned again if the object has the same version and content. */
  readonly stored?: ((namespace: string, name: string) => Entry | undefined) | undefined;
  /** Called for each new entry. Must not throw. */
  readonly onEntry?: ((entry: Entry) => void) | undefined;
}

/**
 * Makes entries from the bytes that a server sends. The common case is scanned, not parsed: `MetadataScan` finds the
 * key, the resource version and the offsets of the metadata. Bytes that the scan does not understand are parsed.
 */
export class EntryReader<T extends KubeObject> {
  /** Set while events arrive so fast that compressing them would cost more than it saves. */
  skipCompression = false;
  readonly #options: EntryReaderOptions<T>;
  readonly #scan = new MetadataScan();
  readonly #eventScan = new EventScan(this.#scan);
  readonly #source: ScannedSource;
  readonly #validator = new JsonValidator();
  readonly #kindMatcher: ByteMatcher;
  /** The entries returned since the last `settle`. The reader retains them. */
  readonly #returned: Entry[] = [];
  /** Interned namespace names: one string for all objects of a namespace. */
  readonly #namespaces = new Map<string, string>();

  constructor(options: EntryReaderOptions<T>) {
    this.#options = options;
    this.#kindMatcher = new ByteMatcher(JSON.stringify(typeOf(options.kind).kind));
    this.#source = new ScannedSource(this.#scan, typePrefix(options.kind), options.managedFields ?? false);
  }

  /** Releases the entries returned so far. Before, the caller stores or retains those that it needs. */
  settle(): void {
    const { slab } = this.#options;
    for (let entry = this.#returned.pop(); entry; entry = this.#returned.pop()) {
      if (entry.state === "incoming") slab.drop(entry);
      release(entry);
    }
  }

  /** Returns the stored entry of the same object. */
  stored({ namespace, name }: Entry): Entry | undefined {
    return this.#options.stored?.(namespace, name);
  }

  /** Reads the line of a watch from `start` to `end`. */
  frame(bytes: Buffer, start: number, end: number): Frame {
    const scan = this.#eventScan;
    const change = scan.change(bytes, start, end);
    if (!change || !this.#isOfKind(bytes)) return this.#parsedFrame(bytes.toString("utf8", start, end));
    return changeOf(change, this.#scanned(bytes, scan.start, scan.end));
  }

  /** Reads the object at `start` in a list. */
  item(bytes: Buffer, start: number): Item {
    const scanned = this.#scan.to(bytes, start);
    const end = scanned < 0 ? endOfValue(bytes, start) : scanned;
    if (end < 0) return { end };
    const plain = scanned > 0 && this.#scan.name !== "" && this.#isOfKind(bytes);
    if (plain) return { end, entry: this.#scanned(bytes, start, end) };
    return { end, entry: this.#parsedEntry(() => JSON.parse(bytes.toString("utf8", start, end))) };
  }

  /** Makes an entry of an object, which is not changed, from the bytes of the response that it was parsed from. */
  responseObject(object: T, bytes: Buffer): Entry | DecodeFailure {
    const end = bytes[bytes.length - 1] === newline ? bytes.length - 1 : bytes.length;
    const plain = bytes[end - 1] === closeBrace && !this.#options.transform;
    if (!plain || !this.#scan.within(bytes, 0, end) || !this.#isOfKind(bytes)) return this.object(object);
    return this.#scanned(bytes, 0, end);
  }

  /** Makes an entry of a parsed object, which is not changed. */
  object(object: T): Entry | DecodeFailure {
    return this.#parsedEntry(() => (this.#options.transform ? structuredClone(object) : object));
  }

  /** Returns true if the scanned object is of this kind, or has no `kind`, as in lists. */
  #isOfKind(bytes: Buffer): boolean {
    const { kindStart, kindEnd } = this.#scan;
    const matcher = this.#kindMatcher;
    return kindEnd === 0 || (kindEnd - kindStart === matcher.length && matcher.matchesAt(bytes, kindStart));
  }

  /**
   * Makes an entry of the scanned object without parsing it. A scan does not validate, so the JSON is validated here,
   * once: no later read can fail.
   */
  #scanned(bytes: Buffer, start: number, end: number): Entry | DecodeFailure {
    const scan = this.#scan;
    if (this.#options.transform) return this.#parsedObject(bytes, start, end);
    const stored = this.#options.stored?.(scan.namespace, scan.name);
    this.#source.load(bytes, start, end);
    if (stored?.resourceVersion === scan.resourceVersion && hasContentOf(this.#source, stored))
      return this.#return(stored);
    if (!stored && !hasValidKey(scan)) return this.#parsedObject(bytes, start, end);
    if (!this.#validator.isValid(this.#source.json, stored?.uncompressedJson()))
      return this.#parsedObject(bytes, start, end);
    this.#compress(this.#source);
    if (stored) return this.#make(stored.newVersion(scan.resourceVersion, this.#options.slab, this.#source));
    scan.namespace = this.#interned(scan.namespace);
    return this.#make(new Entry(scan, this.#options.slab, this.#source));
  }

  /**
   * Parses the scanned object. If it is not JSON, the failure still has the key and version, if the metadata can be
   * parsed.
   */
  #parsedObject(bytes: Buffer, start: number, end: number): Entry | DecodeFailure {
    const { metadataStart, metadataEnd } = this.#scan;
    let object: unknown;
    try {
      object = JSON.parse(bytes.toString("utf8", start, end));
    } catch (cause) {
      const metadata = parsedOr(bytes.toString("utf8", metadataStart, metadataEnd));
      return decodeFailure(`expected an object in JSON, got ${asError(cause).message}`, {
        cause,
        ...keyAndVersion(metadata),
      });
    }
    return this.#parsedEntry(() => object);
  }

  #compress(source: ScannedSource | SerializedSource): void {
    const { compressor } = this.#options;
    if (compressor && !this.skipCompression && source.length <= maxCompressibleBytes)
      source.compress(compressor);
  }

  #make(entry: Entry): Entry {
    this.#options.onEntry?.(entry);
    return this.#return(entry);
  }

  #return(entry: Entry): Entry {
    retain(entry);
    this.#returned.push(entry);
    return entry;
  }

  #interned(namespace: string): string {
    const interned = this.#namespaces.get(namespace);
    if (interned === undefined) this.#namespaces.set(namespace, namespace);
    return interned ?? namespace;
  }

  #parsedFrame(text: string): Frame {
    let event: ParsedEvent | undefined;
    try {
      event = parseEvent(text);
    } catch (error) {
      return decodeFailure(`expected an event in JSON, got ${quoted(text)}`, { cause: error });
    }
    if (!event) return decodeFailure(`expected an event, got ${quoted(text)}`);
    if (event.type === "error") return event;
    if (event.type === "bookmark") return bookmark(event.metadata);
    const { type, object } = event;
    return changeOf(
      type,
      this.#parsedEntry(() => object),
    );
  }

  #parsedEntry(parse: () => unknown): Entry | DecodeFailure {
    let object: unknown;
    let identity: Identity | undefined;
    try {
      object = parse();
      identity = identityOf(object, this.#options.kind);
      const stored = this.#options.stored?.(identity.namespace, identity.name);
      const source = new SerializedSource(this.#transformed(object as T)); // `identityOf` has checked the kind
      if (!this.#validator.isValid(source.json, undefined)) throw new TypeError(tooDeep);
      if (stored?.resourceVersion === identity.resourceVersion && hasContentOf(source, stored))
        return this.#return(stored);
      this.#compress(source);
      return this.#make(new Entry(identity, this.#options.slab, source));
    } catch (error) {
      return decodeFailure(asError(error).message, {
        cause: error,
        ...keyAndVersion(identity ?? metadataOf(object)),
      });
    }
  }

  /** Returns the object as the cache keeps it: with its type, transformed, and without managed fields. */
  #transformed(object: T): T {
    const { transform, managedFields, kind } = this.#options;
    const { managedFields: fields, ...rest } = object.metadata;
    const metadata = managedFields && fields ? { ...rest, managedFields: fields } : rest;
    const typed = { ...typeOf(kind), ...object, metadata };
    if (!transform) return typed;
    const changed = transform(typed);
    const { name, namespace = "", resourceVersion } = identityOf(changed, kind);
    const same =
      name === object.metadata.name &&
      namespace === (object.metadata.namespace ?? "") &&
      resourceVersion === object.metadata.resourceVersion;
    if (same) return changed;
    throw new TypeError("expected a transform to keep name, namespace and resourceVersion, got other values");
  }
}

/**
 * Returns true if an object with the resource version of a stored entry has its content too. False for corrupt JSON.
 */
function hasContentOf({ json, metadataStart }: ScannedSource | SerializedSource, stored: Entry): boolean {
  try {
    return stored.hasContent(json, metadataStart);
  } catch {
    return false; // not JSON: the caller validates it next
  }
}

export interface Item {
  /** Offset of its end; negative if the bytes end before it. */
  readonly end: number;
  readonly entry?: Entry | DecodeFailure;
}

/** `{"apiVersion":"v1","kind":"Pod",` */
function typePrefix(kind: AnyKind): Buffer {
  return Buffer.from(`${JSON.stringify(typeOf(kind)).slice(0, -1)},`);
}

function typeOf(kind: AnyKind): Pick<KubeObject, "apiVersion" | "kind"> {
  if (kind.metadataOnly) return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };
  return { apiVersion: apiVersionOf(kind), kind: kind.kind };
}

function identityOf(object: unknown, kind: AnyKind): Identity {
  const metadata = metadataOf(object);
  const { name, namespace = "", resourceVersion } = metadata ?? {};
  const type = typeOf(kind);
  const { kind: actual = type.kind } = (object ?? {}) as { readonly kind?: unknown };
  if (actual !== type.kind) throw new TypeError(`expected a ${type.kind}, got a ${String(actual)}`);
  if (typeof name === "string" && typeof namespace === "string" && typeof resourceVersion === "string") {
    const identity = { name, namespace, resourceVersion };
    if (!hasValidKey(identity))
      throw new TypeError(
        `expected a ${type.kind} without "/" in its name and namespace, got ${JSON.stringify({ namespace, name })}`,
      );
    if (name !== "" && resourceVersion !== "") return identity;
  }
  throw new TypeError(
    `expected a ${type.kind} with a name and a resourceVersion, got ${quoted(JSON.stringify(object))}`,
  );
}

/**
 * Returns false if the name or the namespace has a slash. The key would then be that of another object, or of none. API
 * servers refuse such names, since they are segments of paths.
 */
function hasValidKey({ name, namespace }: Pick<Identity, "name" | "namespace">): boolean {
  return !name.includes("/") && !namespace.includes("/");
}

/** The only reason for which the output of `JSON.stringify` is rejected. */
const tooDeep = `expected an object of at most ${maxDepth} levels, got a deeper one`;

/** Parses an object. `undefined` if the text is anything else. */
function parsedOr(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // the caller reports the error of the whole object
  }
}

function metadataOf(object: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof object !== "object" || object === null || !("metadata" in object)) return undefined;
  const { metadata } = object;
  return typeof metadata === "object" && metadata !== null ? { ...metadata } : undefined;
}

/**
 * Returns the key and version of an object that may be invalid. If its name or namespace has a slash, the key has two
 * slashes or begins with one, and is the key of no other object.
 */
function keyAndVersion(identity: object | undefined): Pick<DecodeFailure, "key" | "resourceVersion"> {
  const { name, namespace, resourceVersion } = (identity ?? {}) as Readonly<Record<string, unknown>>;
  const key = typeof name === "string" ? keyAsSent(name, namespace) : undefined;
  return { key, resourceVersion: typeof resourceVersion === "string" ? resourceVersion : undefined };
}

function keyAsSent(name: string, namespace: unknown): string {
  return namespace || name.includes("/") ? `${String(namespace ?? "")}/${name}` : name;
}

function decodeFailure(
  message: string,
  details: { cause?: unknown } & Partial<Pick<DecodeFailure, "key" | "resourceVersion">> = {},
): DecodeFailure {
  const { cause, key, resourceVersion } = details;
  return { type: "undecodable", error: new TypeError(message, { cause }), key, resourceVersion };
}

function changeOf(changeType: ChangeType, entry: Entry | DecodeFailure): Frame {
  const type = changeType === "modified" ? "updated" : changeType;
  if (!(entry instanceof Entry)) return { ...entry, change: type };
  return type === "deleted" ? { type, entry, missed: false } : { type, entry };
}

function bookmark(metadata: Partial<KubeObject["metadata"]>): Frame {
  const { resourceVersion = "", annotations } = metadata;
  return { type: "bookmark", resourceVersion, initialEventsEnd: annotations?.[initialEventsEnd] === "true" };
}

const initialEventsEnd = "k8s.io/initial-events-end";
const newline = 0x0a;
const closeBrace = 0x7d;

function quoted(text: string | undefined): string {
  return JSON.stringify(text !== undefined && text.length > 200 ? `${text.slice(0, 200)}...` : text);
}
