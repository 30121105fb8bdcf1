import { unreachable } from "../base/index.ts";
import {
  ApiError,
  ConnectionError,
  isExpired,
  isServiceUnavailable,
  isTooManyRequests,
} from "../transport/index.ts";
import { silent } from "./consume-body.ts";
import { RollbackError } from "./rollback-error.ts";
import { endless } from "./watch-stream.ts";

/** What a reflector does, and from where. */
export type ReflectorState =
  /** Asks for all there is and for what follows, as one stream; `tries` of it have ended too early. */
  | (From & { readonly phase: "streaming"; readonly tries: number })
  /** Asks for all there is, page by page. */
  | (From & { readonly phase: "listing" })
  /** Asks for what follows. */
  | (From & { readonly phase: "watching" });

interface From {
  /** What is asked for is not older than this, or after it. Empty: the newest there is, whatever was known. */
  readonly version: string;
  /** Whether the server is thought to stream what there is. */
  readonly streams: boolean;
}

/** What has come of it. */
export type Outcome =
  /** All there is has been told, as of this version. A stream goes on after that. */
  | { readonly type: "listed"; readonly version: string }
  /** The server ended the stream. */
  | ({ readonly type: "ended" } & Stream)
  | ({ readonly type: "failed"; readonly error: Error } & Stream);

/** How a stream was, up to its end. A list has none of it. */
export interface Stream {
  /** How far it was told, where it was. */
  readonly version?: string | undefined;
  /** How long it was open. `undefined` where it never was. */
  readonly openMs?: number | undefined;
  /** Lines that came. */
  readonly events?: number | undefined;
}

/** What to do next, and why. */
export interface Transition {
  readonly why: RestartReason;
  readonly next: ReflectorState;
  /** Whether to back off first. */
  readonly wait: boolean;
  /** What went wrong, where somebody has to know. */
  readonly error?: Error | undefined;
}

export type RestartReason =
  | "listed"
  /** As servers end watches. */
  | "ended"
  /** So soon that what it was asked for can hardly be there. */
  | "brief"
  /** The connection was lost, or could not be had. */
  | "broken"
  /** Nothing came for so long that the connection may be dead. Where nothing at all happens, that is no fault. */
  | "silent"
  /** The server has no time now. */
  | "busy"
  /** The version asked for is forgotten, or has not come. */
  | "expired"
  /** The server contradicts what it has sent before. */
  | "rollback"
  /** The server does not stream what there is. */
  | "unstreamed"
  | "failed";

/** The beginning: all there is, in a version that is not older. */
export function initialState({ version, streams }: From): ReflectorState {
  return streams
    ? { phase: "streaming", version, streams, tries: 0 }
    : { phase: "listing", version, streams };
}

/** Every move of a reflector. */
export function transition(state: ReflectorState, outcome: Outcome): Transition {
  if (outcome.type === "listed") {
    const { version } = outcome;
    return { why: "listed", next: { phase: "watching", version, streams: state.streams }, wait: false };
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

/** Nothing was told of a stream that did not get to the end of what there is: its next try begins anew. */
function afterStreaming(state: Streaming, outcome: Failure): Transition {
  const { version } = state;
  const list: ReflectorState = { phase: "listing", version, streams: true };
  if (outcome.type === "ended") {
    return brief(outcome) ? { why: "brief", next: list, wait: false } : again(state, "ended", outcome);
  }
  const { error, openMs } = outcome;
  if (error instanceof RollbackError) return rollback(state, error);
  if (unstreamed(error)) return { why: "unstreamed", next: { ...list, streams: false }, wait: false, error };
  if (busy(error)) return { why: "busy", next: state, wait: true, error };
  if (error instanceof ConnectionError) {
    if (openMs === undefined) return { why: "broken", next: state, wait: true, error };
    return { ...again(state, "broken", outcome), error };
  }
  if (outOfReach(error) && version !== "") {
    return { why: "expired", next: { ...state, version: "" }, wait: false, error: signOfRestore(error) };
  }
  return { why: "failed", next: list, wait: false }; // a list that fails too will say so
}

/** A server that ends three in a row before they get anywhere is asked for pages. */
function again(state: Streaming, why: RestartReason, stream: Stream): Transition {
  const { version, streams } = state;
  const tries = state.tries + 1;
  if (tries === mostTries) return { why, next: { phase: "listing", version, streams }, wait: false };
  return { why, next: { ...state, tries }, wait: short(stream) };
}

/** That streams are refused is forgotten when the connection fails: another server may be there the next time. */
function afterListing(state: ReflectorState, outcome: Failure): Transition {
  const { version, streams } = state;
  if (outcome.type === "ended") return { why: "ended", next: state, wait: true };
  const { error } = outcome;
  if (error instanceof RollbackError) return rollback(state, error);
  if (outOfReach(error) && version !== "") {
    return { why: "expired", next: { ...state, version: "" }, wait: false, error: signOfRestore(error) };
  }
  const broken = error instanceof ConnectionError;
  const next = initialState({ version, streams: streams || broken });
  return { why: broken ? "broken" : busy(error) ? "busy" : "failed", next, wait: true, error };
}

function afterWatching(state: ReflectorState, outcome: Failure): Transition {
  if (outcome.type === "ended") {
    if (brief(outcome)) return { why: "brief", next: initialState(state), wait: true };
    return { why: "ended", next: state, wait: short(outcome) };
  }
  const { error } = outcome;
  if (error instanceof RollbackError) return rollback(state, error);
  if (isExpired(error)) return { why: "expired", next: initialState(state), wait: true };
  if (busy(error)) return { why: "busy", next: state, wait: true, error };
  if (!(error instanceof ConnectionError))
    return { why: "failed", next: initialState(state), wait: true, error };
  if (error.code === silent) return { why: "silent", next: state, wait: false };
  return { why: "broken", next: state, wait: short(outcome), error };
}

/** Only a consistent list shows what the server has now. */
function rollback({ streams }: ReflectorState, error: Error): Transition {
  return { why: "rollback", next: initialState({ version: "", streams }), wait: true, error };
}

/** A server that has not reached a version that it has sent may have been restored. One that forgot it is as any other. */
function signOfRestore(error: Error): Error | undefined {
  return tooLarge(error) ? error : undefined;
}

const mostTries = 3;
/** A stream that ends sooner did not work. */
const shortMs = 2000;

function short({ openMs = 0 }: Stream): boolean {
  return openMs < shortMs;
}

function brief(stream: Stream): boolean {
  return short(stream) && !stream.events;
}

function busy(error: Error): boolean {
  return isTooManyRequests(error) || isServiceUnavailable(error);
}

function outOfReach(error: Error): boolean {
  return isExpired(error) || tooLarge(error);
}

/** The version asked for has not come yet, in all the words that servers have had for it. */
function tooLarge(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  const { causes = [] } = error.details ?? {};
  if (causes.some(({ reason }) => reason === "ResourceVersionTooLarge")) return true;
  return [error.message, ...causes.map(({ message = "" }) => message)].some((text) =>
    text.includes("Too large resource version"),
  );
}

/**
 * Servers that do not know how to stream what there is refuse it, or send it and never say that this was all. One that
 * is merely slow is taken for one of them: pages do as well.
 */
function unstreamed(error: Error): boolean {
  if (error instanceof ConnectionError) return error.code === silent || error.code === endless;
  return error instanceof ApiError && [400, 405, 406, 422].includes(error.code);
}
