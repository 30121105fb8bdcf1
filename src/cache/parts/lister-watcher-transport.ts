import { type AnyKind, apiVersionOf, type KubeObject } from "../../api/index.ts";
import { asError, onAbort } from "../../base/index.ts";
import type { Collection, Query } from "../../client/index.ts";
import type { ApiRequest, ApiResponse, OpenResponse, Receiver, Transport } from "../../transport/index.ts";
import type { ListedPage, ListerWatcher, ListerWatcherEvent } from "./lister-watcher.ts";

/**
 * Serves a lister-watcher as an API server serves a collection, so that a reflector does for it all that it does for a
 * server: resume, relist, backoff, health.
 */
export class ListerWatcherTransport<T extends KubeObject> implements Transport {
  readonly server: string = "lister-watcher";
  readonly #source: ListerWatcher<T>;
  readonly #kind: AnyKind<T>;

  constructor(source: ListerWatcher<T>, kind: AnyKind<T>) {
    this.#source = source;
    this.#kind = kind;
  }

  /** The collection, whose requests this transport serves. */
  get collection(): Collection<T> {
    const { kind } = this.#kind;
    const path = `/${kind}`;
    const get = (query: Query, signal?: AbortSignal): ApiRequest => {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      return { method: "GET", path: `${path}?${search}`, signal };
    };
    return {
      kind: { plural: kind.toLowerCase(), namespaced: true, ...this.#kind },
      path,
      listRequest: get,
      watchRequest: (query, signal) => get({ watch: true, ...query }, signal),
    };
  }

  async open({ path, signal = never }: ApiRequest): Promise<OpenResponse> {
    const query = new URLSearchParams(path.slice(path.indexOf("?") + 1));
    const resourceVersion = query.get("resourceVersion") ?? undefined;
    if (query.has("watch")) {
      const ended = new AbortController();
      const events = this.#source.watch({
        resourceVersion: resourceVersion ?? "",
        signal: AbortSignal.any([signal, ended.signal]),
      });
      return new IteratedResponse(this.#lines(events), signal, ended);
    }
    const limit = query.get("limit");
    const page = await this.#source.list({
      resourceVersion,
      limit: limit === null ? undefined : Number(limit),
      continue: query.get("continue") ?? undefined,
      signal,
    });
    return new IteratedResponse(this.#body(page), signal, new AbortController());
  }

  send({ method, path }: ApiRequest): Promise<ApiResponse> {
    return Promise.reject(new Error(`a lister-watcher only lists and watches, got ${method} ${path}`));
  }

  async close(): Promise<void> {}

  /** Yields the lines of a watch. */
  async *#lines(events: AsyncIterable<ListerWatcherEvent<T>>): AsyncGenerator<string, void, void> {
    for await (const event of events) {
      const object =
        event.type === "bookmark"
          ? { ...this.#type, metadata: { resourceVersion: event.resourceVersion } }
          : event.object;
      yield `${JSON.stringify({ type: event.type.toUpperCase(), object })}\n`;
    }
  }

  /** Yields the JSON of a list in pieces, so that other work runs in between. */
  async *#body({
    items,
    resourceVersion,
    continue: token,
  }: ListedPage<T>): AsyncGenerator<string, void, void> {
    const { apiVersion, kind } = this.#type;
    const list = { apiVersion, kind: `${kind}List`, metadata: { resourceVersion, continue: token } };
    yield `${JSON.stringify(list).slice(0, -1)},"items":[`;
    for (let start = 0; start < items.length; start += pieceSize) {
      const piece = items.slice(start, start + pieceSize).map((item) => JSON.stringify(item));
      yield `${start > 0 ? "," : ""}${piece.join(",")}`;
    }
    yield "]}";
  }

  get #type(): Pick<KubeObject, "apiVersion" | "kind"> {
    if (this.#kind.metadataOnly) return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };
    return { apiVersion: apiVersionOf(this.#kind), kind: this.#kind.kind };
  }
}

/** A response whose body is iterated. */
class IteratedResponse implements OpenResponse {
  readonly status = 200;
  readonly headers = {};
  readonly #pieces: AsyncGenerator<string, void, void>;
  readonly #signal: AbortSignal;
  /** Aborts the source when the response is closed. */
  readonly #ended: AbortController;
  #receiver: Receiver | undefined;
  /** Resumes the iteration. Set while it is paused. */
  #resume: (() => void) | undefined;
  #paused = false;
  #aborted: Disposable | undefined;

  constructor(pieces: AsyncGenerator<string, void, void>, signal: AbortSignal, ended: AbortController) {
    this.#pieces = pieces;
    this.#signal = signal;
    this.#ended = ended;
  }

  receive(receiver: Receiver): void {
    if (this.#receiver) return;
    this.#receiver = receiver;
    this.#aborted = onAbort(this.#signal, (reason) => this.#finish(() => receiver.onError(asError(reason))));
    void this.#deliver(receiver);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#resume?.();
  }

  close(): void {
    this.#finish(() => {});
  }

  /** Never rejects: errors go to the receiver. */
  async #deliver(receiver: Receiver): Promise<void> {
    try {
      for await (const piece of this.#pieces) {
        if (this.#paused) await this.#resumed();
        if (this.#isClosed) return;
        receiver.onChunk(Buffer.from(piece));
      }
      this.#finish(() => receiver.onEnd());
    } catch (error) {
      this.#finish(() => receiver.onError(asError(error)));
    }
  }

  /** Resolves when the response is resumed or closed. */
  #resumed(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  get #isClosed(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Ends the response once: the receiver gets nothing afterwards. */
  #finish(last: () => void): void {
    if (this.#isClosed) return;
    this.#aborted?.[Symbol.dispose]();
    this.#ended.abort(new Error("response closed"));
    this.#resume?.();
    last();
  }
}

const never = new AbortController().signal;
const pieceSize = 100;
