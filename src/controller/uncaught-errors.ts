import { writeSync } from "node:fs";
import { inspect } from "node:util";
import { placeOf } from "../base/index.ts";

/** A call of `context.client`. */
export interface ReconcileCall {
  /** Controller name. */
  readonly controller: string;
  readonly key: string;
  /** Place of the call in the program, or several places that make such calls. */
  readonly places: ReadonlySet<string>;
}

/** The reconcile that ended last. */
export interface LastReconcile {
  readonly key: string;
  /** End in the clock's monotonic time. */
  readonly endedMs: number;
}

/** The reconciles of one controller. */
export interface Reconciles {
  /** Keys that are being reconciled. */
  readonly processing: readonly string[];
  readonly last: LastReconcile | undefined;
}

/** The rejected calls, by error. Calls may share an error: aborted requests reject with the reason of their signal. */
const callsOf = new WeakMap<object, ReconcileCall[]>();

/** The names of the running controllers. */
const running = new Map<Reconciles, string>();

/** Records that a call of a reconcile rejected with `error`. */
export function recordRejection(error: unknown, call: ReconcileCall): void {
  if (typeof error !== "object" || error === null) return;
  const calls = callsOf.get(error);
  if (!calls) callsOf.set(error, [call]);
  else if (calls.length <= maxNamed) calls.push(call);
}

/**
 * Adds the reconcile to uncaught errors until disposed. A floating promise of a reconcile that rejects ends the
 * process, and its stack alone often shows neither the key nor a line of the program.
 *
 * An uncaught error gets the property `reconcile`, which Node prints at the end of the error. The exit code and other
 * listeners are not affected. Writing after Node has printed the error is not possible: it emits "exit" before.
 */
export function nameReconciles(controller: string, reconciles: Reconciles): Disposable {
  if (running.size === 0) process.on("uncaughtExceptionMonitor", onUncaught);
  running.set(reconciles, controller);
  return {
    [Symbol.dispose]() {
      running.delete(reconciles);
      if (running.size === 0) process.off("uncaughtExceptionMonitor", onUncaught);
    },
  };
}

/** Adds the reconcile to an uncaught error. Must not throw: the process would exit with another code. */
function onUncaught(error: unknown): void {
  try {
    const reconcile = reconcileOf(error);
    if (!reconcile || isNamed(error)) return;
    if (!addLast(error, reconcile))
      writeSync(stderr, `uncaught error: ${inspect({ reconcile }, { depth: 5 })}\n`);
  } catch {
    // The error is printed without the name of its reconcile.
  }
}

const stderr = 2;

/** Returns true if the error already has its reconcile: an `uncaughtException` listener may throw it again. */
function isNamed(error: unknown): boolean {
  return typeof error === "object" && error !== null && Object.hasOwn(error, "reconcile");
}

/** Returns the call that rejected with an error, or the reconciles that it may come from. */
function reconcileOf(error: unknown): object | undefined {
  if (typeof error !== "object" || error === null) return possible(undefined);
  const calls = callsOf.get(error);
  if (!calls) return possible(error instanceof Error ? placeOf(error) : undefined);
  const named = calls.map(({ controller, key, places: [at, ...others] }) => ({
    controller,
    key,
    at: others.length === 0 ? at : { oneOf: [at, ...others] },
  }));
  return named.length === 1 ? named[0] : { oneOf: atMost(named) };
}

/** Returns the reconciles in flight, or the last one if none is in flight. */
function possible(at: string | undefined): object | undefined {
  const inFlight = [...running].flatMap(([{ processing }, controller]) =>
    processing.map((key) => ({ controller, key })),
  );
  const place = at === undefined ? {} : { at };
  if (inFlight.length > 0) return { ...place, inFlight: atMost(inFlight) };
  const ended = [...running].flatMap(([{ last }, controller]) => (last ? [{ controller, ...last }] : []));
  const [newest] = ended.sort((a, b) => b.endedMs - a.endedMs);
  return newest && { ...place, last: { controller: newest.controller, key: newest.key } };
}

function atMost<T>(all: readonly T[]): readonly (T | string)[] {
  const more = all.length - maxNamed;
  return more > 0 ? [...all.slice(0, maxNamed), `${more} more`] : all;
}

const maxNamed = 10;

/**
 * Adds a property that Node prints last. Node prints hidden causes after all properties, so they become visible ones.
 *
 * @returns true if the error could be changed
 */
function addLast(error: unknown, reconcile: object): boolean {
  if (typeof error !== "object" || error === null || !Object.isExtensible(error)) return false;
  for (const name of ["cause", "errors"]) {
    if (Object.hasOwn(error, name)) Reflect.defineProperty(error, name, { enumerable: true });
  }
  return Reflect.defineProperty(error, "reconcile", {
    value: reconcile,
    enumerable: true,
    configurable: true,
  });
}
