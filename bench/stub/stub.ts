import { readFileSync } from "node:fs";
import { Collection } from "./collection.ts";
import type { Encoding } from "./encoding.ts";
import { podTemplate } from "./pod.ts";
import { ProtobufEncoding } from "./protobuf-encoding.ts";
import { firstResourceVersion, type Template } from "./template.ts";
import type { Sink, StreamOptions, Versions } from "./watch-stream.ts";
import { WatchStream } from "./watch-stream.ts";
import { websiteTemplate } from "./website.ts";

/** Events for the watches of one resource. */
export interface StreamOrder extends StreamOptions {
  readonly resource: string;
  /** True if the response ends after the last event, as kube-apiserver ends watches after a timeout. */
  readonly end: boolean;
}

export interface WatchOptions {
  /** True if every object is sent first, as an ADDED event. */
  readonly initial: boolean;
  /** True if a bookmark marks the end of those. */
  readonly markEnd: boolean;
  readonly bookmarks: boolean;
  readonly encoding: Encoding;
}

export interface Stats {
  /** Connections that carried a request other than to `/ctl/`. */
  readonly connections: number;
  /** Requests other than to `/ctl/`. */
  readonly requests: number;
  /** Processor time of the stub since its start. */
  readonly cpuUs: number;
  readonly resources: Readonly<Record<string, ResourceStats>>;
}

interface ResourceStats {
  readonly count: number;
  /** Size of all objects together, as in a list. */
  readonly bytes: number;
  /** Number of open watches. */
  readonly watches: number;
}

/** The state of the stub API server: objects, open watches, counts. It is independent of HTTP. */
export class Stub {
  readonly versions: Versions = { current: firstResourceVersion };
  readonly #collections = new Map<string, Collection>();
  readonly #watches = new Map<string, Set<{ stream: WatchStream; sink: Sink }>>();
  readonly #armed = new Map<string, StreamOrder>();
  readonly #connections = new WeakSet<object>();
  #connectionCount = 0;
  #requestCount = 0;

  constructor(sizes: { readonly pods: number; readonly websites: number }) {
    this.#collections.set(podTemplate.resource, new Collection(podTemplate, sizes.pods));
    this.#collections.set(websiteTemplate.resource, new Collection(websiteTemplate, sizes.websites));
  }

  collection(resource: string): Collection | undefined {
    return this.#collections.get(resource);
  }

  get templates(): readonly Template[] {
    return Array.from(this.#collections.values(), ({ template }) => template);
  }

  /** Changes the number of objects of a resource. Open watches keep the old number. */
  resize(resource: string, count: number): void {
    this.#known(resource).resize(count);
  }

  /** Loads the objects of a resource as protobuf from a file: see `ProtobufEncoding`. */
  loadProtobuf(resource: string, file: string): void {
    const collection = this.#known(resource);
    collection.protobuf = new ProtobufEncoding(collection.template, readFileSync(file));
  }

  #known(resource: string): Collection {
    const collection = this.#collections.get(resource);
    if (collection === undefined) throw new RangeError(`expected resource pods or websites, got ${resource}`);
    return collection;
  }

  countRequest(connection: object): void {
    this.#requestCount += 1;
    if (this.#connections.has(connection)) return;
    this.#connections.add(connection);
    this.#connectionCount += 1;
  }

  stats(): Stats {
    const { user, system } = process.cpuUsage();
    const resources = [...this.#collections].map(([resource, { count, bytes }]) => {
      const watches = this.#watchesOf(resource).size;
      return [resource, { count, bytes, watches }] as const;
    });
    return {
      connections: this.#connectionCount,
      requests: this.#requestCount,
      cpuUs: user + system,
      resources: Object.fromEntries(resources),
    };
  }

  /** Sends to every open watch, and returns before all is sent. */
  start(order: StreamOrder): void {
    for (const watch of this.#watchesOf(order.resource)) send(watch, order).catch(crash);
  }

  /** Sends to every open watch, or to the next if none is open. */
  startOrArm(order: StreamOrder): void {
    if (this.#watchesOf(order.resource).size > 0) this.start(order);
    else this.arm(order);
  }

  /** Sends to the next watch as soon as it opens. */
  arm(order: StreamOrder): void {
    this.#armed.set(order.resource, order);
  }

  /** Serves one watch until its initial and armed events are sent. It then stays open for `start`. */
  async watch(collection: Collection, sink: Sink, options: WatchOptions): Promise<void> {
    const { resource } = collection.template;
    const { bookmarks, encoding } = options;
    const { count } = collection;
    const stream = new WatchStream(encoding, { count, sink, bookmarks, versions: this.versions });
    const watch = { sink, stream };
    const order = this.#armed.get(resource);
    this.#armed.delete(resource);
    if (options.initial) await watch.stream.sendInitial(options);
    if (sink.closed) return;
    this.#watchesOf(resource).add(watch);
    void sink.over.then(() => this.#watchesOf(resource).delete(watch));
    if (order) await send(watch, order);
  }

  #watchesOf(resource: string): Set<{ stream: WatchStream; sink: Sink }> {
    const watches = this.#watches.get(resource) ?? new Set();
    this.#watches.set(resource, watches);
    return watches;
  }
}

/** Crashes on an error: sinks never reject, so it is a bug of the stub, and its figures would be invalid. */
function crash(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

async function send(watch: { stream: WatchStream; sink: Sink }, order: StreamOrder): Promise<void> {
  await watch.stream.send(order);
  if (order.end) watch.sink.end();
}
