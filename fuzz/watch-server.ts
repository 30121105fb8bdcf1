import { below, type Rng } from "../src/base/index.ts";
import type { Thing } from "../src/cache/objects/objects.fixture.ts";
import { lost, Stream, status } from "../src/cache/reflector/scripted-transport.fixture.ts";
import type { ApiRequest, ApiResponse, OpenResponse, Transport } from "../src/transport/index.ts";
import { chance, chunksOf } from "./draw.ts";

export interface WatchServerOptions {
  readonly rng: Rng;
  /** True if the server supports `sendInitialEvents`. */
  readonly streamsLists: boolean;
  /** Called with every version of every object, before it is sent. */
  readonly onVersion?: ((object: Thing) => void) | undefined;
}

type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** A change of one object. */
interface Change {
  readonly version: number;
  /** `undefined` before the object was created. */
  readonly before: Thing | undefined;
  readonly after: Thing | undefined;
  /** The last content, with the version of the deletion. */
  readonly last: Thing;
}

/** An open watch, with the selection that it was opened with. */
interface Watch {
  readonly stream: Stream;
  readonly selects: (object: Thing) => boolean;
  /** Delayed events. */
  readonly held: Buffer[];
}

/**
 * A transport to a list and watch endpoint of things in this process: pages, initial events, selectors, bookmarks,
 * compaction. Responses arrive in chunks of random sizes and random white space.
 */
export class WatchServer implements Transport {
  readonly server = "https://fuzz:6443";
  readonly objects: Map<string, Thing> = new Map();
  version = 100;
  /** Delays events, so that responses to writes overtake them. */
  holding = false;
  readonly #rng: Rng;
  readonly #streamsLists: boolean;
  readonly #onVersion: WatchServerOptions["onVersion"];
  readonly #watches = new Set<Watch>();
  readonly #snapshots = new Map<string, { readonly version: number; readonly items: readonly Thing[] }>();
  #log: Change[] = [];
  /** Watches from before this version are expired. */
  #oldest = 100;

  constructor({ rng, streamsLists, onVersion }: WatchServerOptions) {
    this.#rng = rng;
    this.#onVersion = onVersion;
    this.#streamsLists = streamsLists;
  }

  /** Stores an object under a new resource version and sends the event. */
  put(object: Thing): Thing {
    const key = keyOf(object);
    const before = this.objects.get(key);
    const after = this.#versioned(object);
    this.objects.set(key, after);
    this.#publish({ version: this.version, before, after, last: after });
    return after;
  }

  /** @returns the last content with the resource version of the deletion */
  delete(key: string): Thing | undefined {
    const before = this.objects.get(key);
    if (!before) return undefined;
    const last = this.#versioned(before);
    this.objects.delete(key);
    this.#publish({ version: this.version, before, after: undefined, last });
    return last;
  }

  /** Sends bytes to every watch, without a change. */
  sendRaw(bytes: Buffer): void {
    for (const watch of this.#open()) this.#send(watch, Buffer.from(bytes));
  }

  bookmark(): void {
    for (const watch of this.#open()) this.#send(watch, lineOf("BOOKMARK", bookmarkOf(this.version, false)));
  }

  /** Sends the delayed events. */
  release(): void {
    this.holding = false;
    for (const { stream, held } of this.#watches) for (const bytes of held.splice(0)) stream.bytes(bytes);
  }

  /** Compacts the history: every watch has to list again when it is opened next. */
  compact(): void {
    this.#log = [];
    this.#oldest = this.version;
  }

  /** Ends every watch: in order, with a reset, with 410, or in the middle of a line. */
  disconnect(how: "end" | "reset" | "expired" | "torn"): void {
    for (const { stream } of this.#open()) {
      if (how === "expired") stream.bytes(lineOf("ERROR", expired));
      if (how === "torn") stream.text('{"type":"MODI');
      if (how === "reset") stream.cut();
      else stream.end();
    }
    this.#watches.clear();
  }

  get watching(): number {
    return this.#open().length;
  }

  async open(request: ApiRequest): Promise<OpenResponse> {
    request.signal?.throwIfAborted();
    const stream = this.#respond(new URL(request.path, this.server));
    stream.begin(request.signal);
    return stream;
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    throw lost(`expected ${request.path} to be opened, got it sent`);
  }

  async close(): Promise<void> {}

  #versioned(object: Thing): Thing {
    this.version += 1 + below(this.#rng, 3);
    const metadata = { ...object.metadata, resourceVersion: String(this.version) };
    const versioned = { ...object, metadata };
    this.#onVersion?.(versioned);
    return versioned;
  }

  #publish(change: Change): void {
    this.#log.push(change);
    for (const watch of this.#open()) this.#sendChange(watch, change);
  }

  /** A watch sees an object that enters its selection as added, and one that leaves it as deleted. */
  #sendChange(watch: Watch, { before, after, last }: Change): void {
    const [was, is] = [before, after].map((object) => object !== undefined && watch.selects(object));
    if (!was && !is) return;
    const type = !is ? "DELETED" : was ? "MODIFIED" : "ADDED";
    this.#send(watch, this.#eventOf(type, last));
  }

  #eventOf(type: EventType, object: Thing): Buffer {
    return Buffer.from(`{"type":"${type}","object":${this.#textOf(object)}}\n`);
  }

  #send({ stream, held }: Watch, bytes: Buffer): void {
    if (this.holding) held.push(bytes);
    else for (const chunk of chunksOf(this.#rng, bytes)) stream.bytes(Buffer.from(chunk));
  }

  #open(): Watch[] {
    for (const watch of this.#watches) if (watch.stream.closed) this.#watches.delete(watch);
    return [...this.#watches];
  }

  #respond({ pathname, searchParams: query }: URL): Stream {
    const selects = selection(pathname, query);
    if (!query.has("watch")) return this.#list(query, selects);
    if (query.has("sendInitialEvents")) return this.#initialEvents(selects);
    return this.#watchFrom(Number(query.get("resourceVersion")), selects);
  }

  #list(query: URLSearchParams, selects: Watch["selects"]): Stream {
    const token = query.get("continue");
    const [id = "", from = 0] = token ? splitToken(token) : [];
    const snapshot = this.#snapshots.get(id) ?? {
      version: this.version,
      items: [...this.objects.values()].filter(selects),
    };
    const to = from + (Number(query.get("limit")) || snapshot.items.length);
    const more = to < snapshot.items.length;
    const next = id === "" ? String(this.#snapshots.size + 1) : id;
    if (more) this.#snapshots.set(next, snapshot);
    const items = snapshot.items.slice(from, to).map((item) => this.#textOf(item, true));
    const metadata = {
      resourceVersion: String(snapshot.version),
      ...(more && { continue: `${next}:${to}` }),
    };
    const head = `{"kind":"ThingList","apiVersion":"example.dev/v1","metadata":${JSON.stringify(metadata)}`;
    return this.#whole(200, `${head},"items":[${items.join(",")}]}`);
  }

  #initialEvents(selects: Watch["selects"]): Stream {
    if (!this.#streamsLists)
      return this.#whole(400, JSON.stringify(status({ code: 400, reason: "BadRequest" })));
    const watch: Watch = { stream: new Stream(), selects, held: [] };
    for (const object of this.objects.values())
      if (selects(object)) this.#sendNow(watch, this.#eventOf("ADDED", object));
    this.#sendNow(watch, lineOf("BOOKMARK", bookmarkOf(this.version, true)));
    this.#watches.add(watch);
    return watch.stream;
  }

  #watchFrom(version: number, selects: Watch["selects"]): Stream {
    const watch: Watch = { stream: new Stream(), selects, held: [] };
    if (version < this.#oldest) {
      this.#sendNow(watch, lineOf("ERROR", expired));
      return watch.stream;
    }
    for (const change of this.#log) if (change.version > version) this.#sendChange(watch, change);
    this.#watches.add(watch);
    return watch.stream;
  }

  #sendNow({ stream }: Watch, bytes: Buffer): void {
    for (const chunk of chunksOf(this.#rng, bytes)) stream.bytes(Buffer.from(chunk));
  }

  #whole(code: number, text: string): Stream {
    const stream = new Stream(code);
    for (const chunk of chunksOf(this.#rng, Buffer.from(text))) stream.bytes(Buffer.from(chunk));
    return stream.end();
  }

  /** The JSON of an object: at times with white space, in lists at times without its type. */
  #textOf(object: Thing, inList = false): string {
    const { apiVersion: _, kind: __, ...untyped } = object;
    const sent = inList && chance(this.#rng, 0.3) ? untyped : object;
    if (chance(this.#rng, 0.9)) return JSON.stringify(sent);
    return JSON.stringify(sent, null, 1 + below(this.#rng, 3)).replaceAll("\n", " ");
  }
}

export function keyOf({ metadata }: Thing): string {
  return `${metadata.namespace}/${metadata.name}`;
}

export function lineOf(type: string, object: object): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}

function bookmarkOf(version: number, end: boolean): object {
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { resourceVersion: String(version), ...(end && { annotations }) };
  return { kind: "Thing", apiVersion: "example.dev/v1", metadata };
}

const expired = status({ code: 410, reason: "Expired" });

function splitToken(token: string): [string, number] {
  const [id = "", from] = token.split(":");
  return [id, Number(from)];
}

/** Supports a namespace in the path and one equality label selector. */
function selection(path: string, query: URLSearchParams): (object: Thing) => boolean {
  const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
  const [label = "", value] = query.get("labelSelector")?.split("=") ?? [];
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    (label === "" || metadata.labels?.[label] === value);
}
