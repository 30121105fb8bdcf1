import { asError, type Clock, onAbort, type Timer } from "../../base/index.ts";
import { convertVersions, isMissing } from "../codec/converted-versions.ts";
import type { ObjectVersion } from "../codec/object-version.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Sink } from "../types/exchange.ts";
import type { Resource } from "../types/resource.ts";
import { internal, StatusError } from "../types/status-error.ts";
import type { Selection } from "./selection.ts";
import {
  bookmarkFrame,
  type Encoder,
  type EventType,
  errorFrame,
  frame,
  sharedFrame,
} from "./watch-frames.ts";
import type { Follower, WatchHub } from "./watch-hub.ts";
import type { LoggedChange, WatchLog } from "./watch-log.ts";

export interface WatcherOptions {
  readonly encoder: Encoder;
  /** Only keys with this prefix are watched. */
  readonly prefix: string;
  readonly selection: Selection;
  /** The objects that are sent first. */
  readonly initial: readonly StoredEntry[];
  /** Only changes after this revision are sent. */
  readonly after: number;
  readonly bookmarks: boolean;
  /** True if a bookmark is sent after the initial objects. */
  readonly initialEventsEnd: boolean;
  readonly timeoutMs: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

const bookmarkEveryMs = 60_000;
const bookmarkBeforeEndMs = 2_000;
const bookmarkNearEndMs = 1_000;

/**
 * Sends the changes of a log to one client, as fast as the client reads.
 *
 * It keeps nothing but a position in the log. If the client is so slow that this position is discarded, the watch ends
 * and the client has to relist.
 */
export class Watcher implements Follower {
  readonly #hub: WatchHub;
  readonly #clock: Clock;
  readonly #log: WatchLog;
  readonly #sink: Sink;
  readonly #options: WatcherOptions;
  /** The number of initial objects that have been sent. */
  #sent = 0;
  /** The index of the next change. */
  #next: number;
  /** All changes up to this revision have been sent or did not match. */
  #passed: number;
  #bookmarked: number;
  #bookmarkedMs: number;
  #started = false;
  #blocked = false;
  #ended = false;
  /** True while a webhook converts objects. */
  #converting = false;
  readonly #endsAtMs: number;
  readonly #disposables: Disposable[] = [];
  #bookmark: Timer | undefined;
  #encoder: Encoder;

  constructor(
    { hub, clock, log }: { readonly hub: WatchHub; readonly clock: Clock; readonly log: WatchLog },
    sink: Sink,
    options: WatcherOptions,
  ) {
    this.#hub = hub;
    this.#clock = clock;
    this.#log = log;
    this.#sink = sink;
    this.#options = options;
    this.#next = log.after(options.after);
    this.#passed = options.after;
    this.#bookmarked = options.after;
    this.#bookmarkedMs = clock.monotonic();
    this.#endsAtMs = clock.monotonic() + options.timeoutMs;
    this.#encoder = options.encoder.opening ?? options.encoder;
  }

  get resource(): Resource {
    return this.#options.encoder.resource;
  }

  start(): void {
    const { timeoutMs, signal } = this.#options;
    this.#disposables.push(this.#hub.join(this));
    this.#disposables.push(this.#clock.timer(timeoutMs, () => this.end(), { background: true }));
    this.#disposables.push(onAbort(signal, () => this.end()));
    this.#sink.onDrain(() => {
      this.#blocked = false;
      this.wake();
    });
    this.#scheduleBookmark();
    this.wake();
  }

  /** Sends changes until the client's buffer is full. Ends the watch of a client that is too slow. */
  wake(): void {
    try {
      if (this.#blocked && this.#isExpired()) this.end();
      this.#send();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns true if the next change has been discarded. */
  #isExpired(): boolean {
    return this.#next < this.#log.end && this.#log.at(this.#next) === undefined;
  }

  #send(): void {
    while (!this.#blocked && !this.#ended && !this.#converting) {
      if (this.#convertPending()) return;
      const next = this.#nextFrame();
      if (next === undefined) return;
      this.#encoder = this.#options.encoder;
      this.#blocked = !this.#sink.write(next);
    }
  }

  /**
   * Starts the conversion of all pending objects by a webhook, in one call. The watch continues when it is done.
   * Returns false if there is nothing to convert.
   */
  #convertPending(): boolean {
    const pending = this.resource.converter && this.#pendingVersions();
    if (!pending?.some((version) => isMissing(this.resource, version))) return false;
    this.#converting = true;
    void convertVersions(this.resource, pending).then(
      () => {
        this.#converting = false;
        this.wake();
      },
      (error: unknown) => {
        this.#converting = false;
        this.#fail(error);
      },
    );
    return true;
  }

  #pendingVersions(): readonly ObjectVersion[] {
    const initial = this.#options.initial.slice(this.#sent);
    const logged = Array.from({ length: this.#log.end - this.#next }, (_, at) =>
      this.#log.at(this.#next + at),
    );
    const changes = logged.flatMap((one) => [one?.change.before, one?.change.after]);
    return [...initial, ...changes.filter((one): one is StoredEntry => one !== undefined)];
  }

  /** Ends the watch if an object cannot be transformed, as kube-apiserver does, or after an internal error. */
  #fail(error: unknown): void {
    if (!(error instanceof StatusError)) this.#sink.write(errorFrame(internal(asError(error).message)));
    this.end();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#bookmark?.cancel();
    for (const disposable of this.#disposables) disposable[Symbol.dispose]();
    this.#sink.end();
  }

  #nextFrame(): Buffer | undefined {
    return this.#initialFrame() ?? this.#startFrame() ?? this.#changeFrame();
  }

  #initialFrame(): Buffer | undefined {
    const stored = this.#options.initial[this.#sent];
    if (!stored) return undefined;
    this.#sent += 1;
    return frame(this.#encoder, "ADDED", stored);
  }

  #startFrame(): Buffer | undefined {
    if (this.#started) return undefined;
    this.#started = true;
    const { initialEventsEnd, after } = this.#options;
    return initialEventsEnd ? bookmarkFrame(this.#encoder, { revision: after, initialEventsEnd }) : undefined;
  }

  #changeFrame(): Buffer | undefined {
    while (this.#next < this.#log.end) {
      const logged = this.#log.at(this.#next);
      if (!logged) return void this.end();
      this.#next += 1;
      this.#passed = Math.max(this.#passed, logged.change.revision);
      const type = this.#typeOf(logged);
      if (type) return sharedFrame(this.#encoder, type, logged);
    }
    return undefined;
  }

  /** Returns the type of the event for this client, or `undefined` if the change does not match. */
  #typeOf({ change }: LoggedChange): EventType | undefined {
    const { prefix, selection, after } = this.#options;
    if (change.revision <= after || !change.key.startsWith(prefix)) return undefined;
    const was = change.before !== undefined && selection.matches(change.before);
    const is = change.after !== undefined && selection.matches(change.after);
    if (is) return was ? "MODIFIED" : "ADDED";
    return was ? "DELETED" : undefined;
  }

  #scheduleBookmark(): void {
    if (!this.#options.bookmarks) return;
    const leftMs = this.#endsAtMs - this.#clock.monotonic() - bookmarkBeforeEndMs;
    const waitMs = leftMs > 0 ? Math.min(bookmarkEveryMs, leftMs) : bookmarkNearEndMs;
    this.#bookmark = this.#clock.timer(waitMs, () => this.#sendBookmark(), { background: true });
  }

  /**
   * Sends a bookmark if the client has received everything before it. A bookmark is sent every minute even without
   * changes, so that silence means a broken connection. kube-apiserver does so if etcd sends progress notifications,
   * which kubeadm configures.
   */
  #sendBookmark(): void {
    this.wake();
    const ready = !this.#blocked && !this.#ended && this.#next === this.#log.end;
    if (ready) this.#passed = Math.max(this.#passed, this.#hub.revision);
    if (ready && (this.#passed > this.#bookmarked || this.#isBookmarkDue())) this.#writeBookmark();
    if (!this.#ended) this.#scheduleBookmark();
  }

  #isBookmarkDue(): boolean {
    return this.#clock.monotonic() - this.#bookmarkedMs >= bookmarkEveryMs;
  }

  #writeBookmark(): void {
    this.#bookmarked = this.#passed;
    this.#bookmarkedMs = this.#clock.monotonic();
    const bookmark = { revision: this.#passed, initialEventsEnd: false };
    this.#blocked = !this.#sink.write(bookmarkFrame(this.#encoder, bookmark));
  }
}
