import { type AnyKind, apiVersionOf, type KubeObject, type Status } from "../api/index.ts";
import { asError } from "../base/index.ts";
import {
  ByteMatcher,
  type ChangeType,
  changeTypeOf,
  endOfValue,
  MetadataScan,
  maxDepth,
  watchEventPrefixAt,
} from "../transport/index.ts";
import { type AdaptiveCompressor, maxCompressibleBytes } from "./adaptive-compressor.ts";
import { Entry, type Identity } from "./entry.ts";
import { ScannedSource, SerializedSource } from "./entry-source.ts";
import { JsonValidator } from "./json-validator.ts";
import { release, retain, type Slab } from "./slab.ts";

/** What one line of a watch says. */
export type Frame =
  | { readonly type: ChangeType; readonly entry: Entry }
  | {
      readonly type: "bookmark";
      readonly resourceVersion: string;
      /** Everything that was there at the start has been told. */
      readonly initialEventsEnd: boolean;
    }
  /** The server's word on why the watch cannot go on. */
  | { readonly type: "error"; readonly status: Status }
  | DecodeFailure;

/** What came cannot be an object of this kind, or the user's transform would not have it. */
export interface DecodeFailure {
  readonly type: "undecodable";
  readonly error: Error;
  /** Of the object, where that much could be told: `namespace/name`. */
  readonly key: string | undefined;
  /** Of what came, as far as it could be told: a watch goes on from there. */
  readonly resourceVersion: string | undefined;
  /** What a watch told of the object. */
  readonly change?: ChangeType | undefined;
}

export interface EntryReaderOptions<T extends KubeObject> {
  readonly kind: AnyKind<T>;
  readonly slab: Slab;
  /** Packs what is kept, where there is time for that. @default nothing is packed */
  readonly packer?: AdaptiveCompressor | undefined;
  /** Keeps them. @default false */
  readonly managedFields?: boolean | undefined;
  /** Applied to every object that arrives, before it is kept. If it throws, the object is undecodable. */
  readonly transform?: ((object: T) => T) | undefined;
  /** The entry that is at hand for this object: taken again where the version is the same. */
  readonly known?: ((namespace: string, name: string) => Entry | undefined) | undefined;
  /** Told of each entry that is made. Must not throw. */
  readonly onEntry?: ((entry: Entry) => void) | undefined;
}

/** Makes entries of what a server sends, without parsing where it need not. */
export class EntryReader<T extends KubeObject> {
  /** There is no time to pack what comes: more is waiting to be read. */
  skipCompression = false;
  readonly #options: EntryReaderOptions<T>;
  readonly #scan = new MetadataScan();
  readonly #pieces: ScannedSource;
  readonly #proof = new JsonValidator();
  readonly #kindText: ByteMatcher;
  /** The entries that it returned since `settle` was called. */
  readonly #returned: Entry[] = [];
  /** One string for all objects of a namespace. */
  readonly #namespaces = new Map<string, string>();

  constructor(options: EntryReaderOptions<T>) {
    this.#options = options;
    this.#kindText = new ByteMatcher(JSON.stringify(typeOf(options.kind).kind));
    this.#pieces = new ScannedSource(this.#scan, typePrefix(options.kind), options.managedFields ?? false);
  }

  /** Gives up the entries that it has returned so far. The caller has put those that are to be kept, and retains others. */
  settle(): void {
    const { slab } = this.#options;
    for (let entry = this.#returned.pop(); entry; entry = this.#returned.pop()) {
      if (entry.state === "incoming") slab.drop(entry);
      release(entry);
    }
  }

  /** What is known of the object of which this is a version. */
  known({ namespace, name }: Entry): Entry | undefined {
    return this.#options.known?.(namespace, name);
  }

  /** The line of a watch from `start` to `end`. */
  frame(bytes: Buffer, start: number, end: number): Frame {
    const type = watchEventPrefixAt(bytes, start);
    if (!type || bytes[end - 1] !== closeBrace) return this.#parsedFrame(bytes.toString("utf8", start, end));
    const objectStart = start + type.matcher.length;
    if (!this.#scan.within(bytes, objectStart, end - 1) || !this.#ofKind(bytes)) {
      return this.#parsedFrame(bytes.toString("utf8", start, end));
    }
    return changeOf(type.changeType, this.#scanned(bytes, objectStart, end - 1));
  }

  /** The object at `start` within a list. */
  item(bytes: Buffer, start: number): Item {
    const scanned = this.#scan.to(bytes, start);
    const end = scanned < 0 ? endOfValue(bytes, start) : scanned;
    if (end < 0) return { end };
    const plain = scanned > 0 && this.#scan.name !== "" && this.#ofKind(bytes);
    if (plain) return { end, entry: this.#scanned(bytes, start, end) };
    return { end, entry: this.#parsedEntry(() => JSON.parse(bytes.toString("utf8", start, end))) };
  }

  /** An object that is at hand, and is left as it is, with the bytes that it was parsed from. */
  answered(object: T, bytes: Buffer): Entry | DecodeFailure {
    const end = bytes[bytes.length - 1] === newline ? bytes.length - 1 : bytes.length;
    const plain = bytes[end - 1] === closeBrace && !this.#options.transform;
    if (!plain || !this.#scan.within(bytes, 0, end) || !this.#ofKind(bytes)) return this.object(object);
    return this.#scanned(bytes, 0, end);
  }

  /** An object that is at hand, and is left as it is. */
  object(object: T): Entry | DecodeFailure {
    return this.#parsedEntry(() => (this.#options.transform ? structuredClone(object) : object));
  }

  /** Whether what was scanned says that it is of this kind, or does not say. */
  #ofKind(bytes: Buffer): boolean {
    const { kindStart, kindEnd } = this.#scan;
    const said = this.#kindText;
    return kindEnd === 0 || (kindEnd - kindStart === said.length && said.matchesAt(bytes, kindStart));
  }

  /** Every byte that is kept is proven to be JSON first, so that no later read can fail. */
  #scanned(bytes: Buffer, start: number, end: number): Entry | DecodeFailure {
    const scan = this.#scan;
    if (this.#options.transform) return this.#parsedObject(bytes, start, end);
    const known = this.#options.known?.(scan.namespace, scan.name);
    this.#pieces.of(bytes, start, end);
    if (known?.resourceVersion === scan.resourceVersion && isContentOf(known, this.#pieces))
      return this.#return(known);
    if (!this.#proof.isValid(this.#pieces.json, known?.plainJson()))
      return this.#parsedObject(bytes, start, end);
    this.#pack(this.#pieces);
    if (known) return this.#make(known.version(scan.resourceVersion, this.#options.slab, this.#pieces));
    scan.namespace = this.#interned(scan.namespace);
    return this.#make(new Entry(scan, this.#options.slab, this.#pieces));
  }

  /** The object that was scanned, by way of `JSON.parse`. Its identity is known even if the rest of it is not JSON. */
  #parsedObject(bytes: Buffer, start: number, end: number): Entry | DecodeFailure {
    const { metadataStart, metadataEnd } = this.#scan;
    let object: unknown;
    try {
      object = JSON.parse(bytes.toString("utf8", start, end));
    } catch (cause) {
      const metadata = parsedOr(bytes.toString("utf8", metadataStart, metadataEnd));
      return decodeFailure(`expected an object in JSON, got ${asError(cause).message}`, {
        cause,
        ...whose(metadata),
      });
    }
    return this.#parsedEntry(() => object);
  }

  #pack(pieces: ScannedSource | SerializedSource): void {
    const { packer } = this.#options;
    if (packer && !this.skipCompression && pieces.length <= maxCompressibleBytes) pieces.pack(packer);
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
    const known = this.#namespaces.get(namespace);
    if (known === undefined) this.#namespaces.set(namespace, namespace);
    return known ?? namespace;
  }

  #parsedFrame(text: string): Frame {
    let event: RawEvent;
    try {
      event = JSON.parse(text);
    } catch (error) {
      return decodeFailure(`expected an event in JSON, got ${quoted(text)}`, { cause: error });
    }
    const { type, object } = event ?? {};
    if (typeof object !== "object" || object === null)
      return decodeFailure(`expected an event, got ${quoted(text)}`);
    if (type === "ERROR") return { type: "error", status: object as Status }; // an ERROR event holds one
    const { metadata } = object as Partial<KubeObject>;
    if (type === "BOOKMARK" && metadata?.resourceVersion) return bookmark(metadata);
    const change = changeTypeOf(type);
    if (!change) return decodeFailure(`expected an event, got ${quoted(text)}`);
    return changeOf(
      change,
      this.#parsedEntry(() => object),
    );
  }

  #parsedEntry(parse: () => unknown): Entry | DecodeFailure {
    let object: unknown;
    let identity: Identity | undefined;
    try {
      object = parse();
      identity = identityOf(object, this.#options.kind);
      const known = this.#options.known?.(identity.namespace, identity.name);
      const kept = this.#kept(object as T); // it has said so
      const pieces = new SerializedSource(kept);
      if (!this.#proof.isValid(pieces.json, undefined)) throw new TypeError(tooDeep);
      if (known?.resourceVersion === identity.resourceVersion && isContentOf(known, pieces))
        return this.#return(known);
      this.#pack(pieces);
      return this.#make(new Entry(identity, this.#options.slab, pieces));
    } catch (error) {
      return decodeFailure(asError(error).message, {
        cause: error,
        ...whose(identity ?? metadataOf(object)),
      });
    }
  }

  /** The object as it is to be kept. */
  #kept(object: T): T {
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
    throw new TypeError("expected a transform to keep name, namespace and resourceVersion, got others");
  }
}

/** Whether an object that has the resource version of a known one has its content, too. Corrupt JSON has not. */
function isContentOf(known: Entry, { json, metadataStart }: ScannedSource | SerializedSource): boolean {
  try {
    return known.hasContent(json, metadataStart);
  } catch {
    return false; // it is not JSON, and the caller finds that out
  }
}

export interface Item {
  /** Where it ends, or less than 0 where it does not. */
  readonly end: number;
  readonly entry?: Entry | DecodeFailure;
}

interface RawEvent {
  readonly type?: unknown;
  readonly object?: unknown;
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
  const { kind: said = type.kind } = (object ?? {}) as { readonly kind?: unknown };
  if (said !== type.kind) throw new TypeError(`expected a ${type.kind}, got a ${String(said)}`);
  if (typeof name === "string" && typeof namespace === "string" && typeof resourceVersion === "string") {
    if (name !== "" && resourceVersion !== "") return { name, namespace, resourceVersion };
  }
  throw new TypeError(
    `expected a ${type.kind} with a name and a resourceVersion, got ${quoted(JSON.stringify(object))}`,
  );
}

/** What `JSON.stringify` writes is valid unless it is nested too deep. */
const tooDeep = `expected an object of at most ${maxDepth} levels, got a deeper one`;

/** `undefined` if the text is not the JSON of an object. */
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

function whose(identity: object | undefined): Pick<DecodeFailure, "key" | "resourceVersion"> {
  const { name, namespace, resourceVersion } = (identity ?? {}) as Readonly<Record<string, unknown>>;
  const key = typeof name === "string" ? (namespace ? `${String(namespace)}/${name}` : name) : undefined;
  return { key, resourceVersion: typeof resourceVersion === "string" ? resourceVersion : undefined };
}

function decodeFailure(
  message: string,
  of: { cause?: unknown } & Partial<Pick<DecodeFailure, "key" | "resourceVersion">> = {},
): DecodeFailure {
  const { cause, key, resourceVersion } = of;
  return { type: "undecodable", error: new TypeError(message, { cause }), key, resourceVersion };
}

function changeOf(type: ChangeType, entry: Entry | DecodeFailure): Frame {
  return entry instanceof Entry ? { type, entry } : { ...entry, change: type };
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
