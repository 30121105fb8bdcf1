import { unreachable } from "../../base/index.ts";
import {
  ApiError,
  ConnectionError,
  isExpired,
  isServiceUnavailable,
  isTooManyRequests,
  watchSilent,
} from "../../transport/index.ts";
import { RollbackError } from "./rollback-error.ts";
import { watchEndless } from "./watch-stream.ts";

/**
 * The next request of a reflector.
 *
 * ```
 *                     initial events complete
 *   ┌──▶ streaming ──────────────────────────▶ watching ──┐
 *   │        │ not supported, or failed           ▲   │   │ ended, broken, silent, throttled: resume
 *   │        ▼                                    │   └───┘
 *   │     listing ────────────────────────────────┘   │
 *   │                list complete                    │
 *   └─────────────────────────────────────────────────┘
 *     expired, rollback, failed: relist (by `listing`, if the server does not support streaming)
 * ```
 */
export type ReflectorState =
  /**
   * Requests a streaming list: the collection and later changes in one watch. `attempts` of it have ended too early.
   */
  | (Position & { readonly phase: "streaming"; readonly attempts: number })
  /** Requests the collection as a paged list. */
  | (Position & { readonly phase: "listing" })
  /** Requests the changes after `version`. */
  | (Position & { readonly phase: "watching" });

interface Position {
  /**
   * A list is at least as new as this resource version, and a watch starts after it. Empty for a consistent read of the
   * newest state, which may be older than the cache if the storage was restored.
   */
  readonly version: string;
  /** True if the server is assumed to support streaming lists (`sendInitialEvents`). */
  readonly streamingLists: boolean;
}

/** The result of a request. */
export type Outcome =
  /** The sink has the collection at this resource version. A stream continues after that. */
  | { readonly type: "listed"; readonly version: string }
  /** The server ended the stream. */
  | ({ readonly type: "ended" } & StreamSummary)
  | ({ readonly type: "failed"; readonly error: Error } & StreamSummary);

/** A stream that has ended. All fields are undefined for a list. */
export interface StreamSummary {
  /** Resource version up to which the sink has everything, if the stream has sent one. */
  readonly version?: string | undefined;
  /** Milliseconds for which the stream was open; `undefined` if it never was. */
  readonly openMs?: number | undefined;
  /** Number of events received. */
  readonly events?: number | undefined;
}

/** The next state, and what to do before. */
export interface Transition {
  readonly reason: RestartReason;
  readonly next: ReflectorState;
  /** True if the reflector backs off first. */
  readonly wait: boolean;
  /** The failure to report; `undefined` for what happens in normal operation. */
  readonly error?: Error | undefined;
}

/** Why a reflector makes its next request. A label value of `reflector_restarts_total`. */
export type RestartReason =
  /** Not a restart: the list is complete. */
  | "listed"
  /** The server ended the watch, as servers do after some minutes. */
  | "ended"
  /** The server ended the watch at once and without an event, so it probably does not have the requested version. */
  | "short"
  /** The connection was lost or could not be established. */
  | "broken"
  /**
   * Nothing was received for so long that the connection may be dead. Not an error: an idle server may send nothing.
   */
  | "silent"
  /** 429 or 503. */
  | "throttled"
  /** The requested version is too old, or newer than the server has. */
  | "expired"
  /** The server contradicts what it has sent before. */
  | "rollback"
  /** The server does not support streaming lists. */
  | "unsupported"
  | "failed";

/** Returns the state that lists the collection at least as new as `version`. */
export function initialState({ version, streamingLists }: Position): ReflectorState {
  return streamingLists
    ? { phase: "streaming", version, streamingLists, attempts: 0 }
    : { phase: "listing", version, streamingLists };
}

/** Returns the transition for the outcome of a request. */
export function transition(state: ReflectorState, outcome: Outcome): Transition {
  if (outcome.type === "listed") {
    const { version } = outcome;
    const { streamingLists } = state;
    return { reason: "listed", next: { phase: "watching", version, streamingLists }, wait: false };
  }
  switch (state.phase) {
    case "streaming":
      return afterStreaming(state, outcome);
    case "listing":
      return afterListing(state, outcome);
    case "watching":
      return afterWatching({ ...state, version: outcome.version ?? state.version }, outcome);
    default:
      return unreachable(state);
  }
}

type Failure = Exclude<Outcome, { readonly type: "listed" }>;
type Streaming = Extract<ReflectorState, { readonly phase: "streaming" }>;

/**
 * The sink has received nothing of a streaming list that did not complete, so the next attempt starts from the
 * beginning.
 */
function afterStreaming(state: Streaming, outcome: Failure): Transition {
  const { version } = state;
  const list: ReflectorState = { phase: "listing", version, streamingLists: true };
  if (outcome.type === "ended") {
    return isShortWatch(outcome)
      ? { reason: "short", next: list, wait: false }
      : retryStreaming(state, "ended", outcome);
  }
  const { error, openMs } = outcome;
  if (error instanceof RollbackError) return rollback(state, error);
  if (isUnsupported(error))
    return { reason: "unsupported", next: { ...list, streamingLists: false }, wait: false, error };
  if (isThrottled(error)) return { reason: "throttled", next: state, wait: true, error };
  if (error instanceof ConnectionError) {
    if (openMs === undefined) return { reason: "broken", next: state, wait: true, error };
    return { ...retryStreaming(state, "broken", outcome), error };
  }
  if (isOutOfReach(error) && version !== "") {
    const next = { ...state, version: "" };
    return { reason: "expired", next, wait: false, error: signOfRestore(error) };
  }
  return { reason: "failed", next: list, wait: false }; // if the list fails too, that error is reported
}

/** Streams again, or lists by pages after three streams in a row that ended before they were complete. */
function retryStreaming(state: Streaming, reason: RestartReason, stream: StreamSummary): Transition {
  const { version, streamingLists } = state;
  const attempts = state.attempts + 1;
  if (attempts === maxAttempts)
    return { reason, next: { phase: "listing", version, streamingLists }, wait: false };
  return { reason, next: { ...state, attempts }, wait: endedEarly(stream) };
}

/**
 * After a failed connection, streaming is assumed to be supported again: the next connection may reach a newer server.
 */
function afterListing(state: ReflectorState, outcome: Failure): Transition {
  const { version, streamingLists } = state;
  if (outcome.type === "ended") return { reason: "ended", next: state, wait: true };
  const { error } = outcome;
  if (error instanceof RollbackError) return rollback(state, error);
  if (isOutOfReach(error) && version !== "") {
    const next = { ...state, version: "" };
    return { reason: "expired", next, wait: false, error: signOfRestore(error) };
  }
  const broken = error instanceof ConnectionError;
  const next = initialState({ version, streamingLists: streamingLists || broken });
  return { reason: broken ? "broken" : isThrottled(error) ? "throttled" : "failed", next, wait: true, error };
}

/** Resumes the watch from the last version if it can, and lists again if the version or the server is in doubt. */
function afterWatching(state: ReflectorState, outcome: Failure): Transition {
  if (outcome.type === "ended") {
    if (isShortWatch(outcome)) return { reason: "short", next: initialState(state), wait: true };
    return { reason: "ended", next: state, wait: endedEarly(outcome) };
  }
  const { error } = outcome;
  if (error instanceof RollbackError) return rollback(state, error);
  if (isExpired(error)) return { reason: "expired", next: initialState(state), wait: true };
  if (isThrottled(error)) return { reason: "throttled", next: state, wait: true, error };
  if (!(error instanceof ConnectionError))
    return { reason: "failed", next: initialState(state), wait: true, error };
  if (error.code === watchSilent) return { reason: "silent", next: state, wait: false };
  return { reason: "broken", next: state, wait: endedEarly(outcome), error };
}

/** Requests a consistent list: only that shows the current state of the server. */
function rollback({ streamingLists }: ReflectorState, error: Error): Transition {
  return { reason: "rollback", next: initialState({ version: "", streamingLists }), wait: true, error };
}

/**
 * Returns the error if it may mean that the storage was restored: the server has not reached a version that it has
 * sent. An expired version is normal and is not reported.
 */
function signOfRestore(error: Error): Error | undefined {
  return isTooLarge(error) ? error : undefined;
}

const maxAttempts = 3;
/** A stream that ends sooner did not work. */
const shortMs = 2000;

function endedEarly({ openMs = 0 }: StreamSummary): boolean {
  return openMs < shortMs;
}

function isShortWatch(stream: StreamSummary): boolean {
  return endedEarly(stream) && !stream.events;
}

function isThrottled(error: Error): boolean {
  return isTooManyRequests(error) || isServiceUnavailable(error);
}

function isOutOfReach(error: Error): boolean {
  return isExpired(error) || isTooLarge(error);
}

/**
 * Returns true if the server has not reached the requested version, in the forms that all server versions have used.
 */
function isTooLarge(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  const { causes = [] } = error.details ?? {};
  if (causes.some(({ reason }) => reason === "ResourceVersionTooLarge")) return true;
  return [error.message, ...causes.map(({ message = "" }) => message)].some((text) =>
    text.includes("Too large resource version"),
  );
}

/**
 * Returns true if the server does not support streaming lists: it refuses them, or it sends events and never ends the
 * initial ones. A server that is merely slow counts as unsupported too; paged lists work as well.
 */
function isUnsupported(error: Error): boolean {
  if (error instanceof ConnectionError) return error.code === watchSilent || error.code === watchEndless;
  return error instanceof ApiError && [400, 405, 406, 422].includes(error.code);
}
