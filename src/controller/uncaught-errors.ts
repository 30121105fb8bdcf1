import { writeSync } from "node:fs";
import { inspect } from "node:util";
import { placeOf } from "../base/index.ts";

/** A call of `context.client`. */
export interface ReconcileCall {
  /** The name of the controller. */
  readonly controller: string;
  readonly key: string;
  /** Where the call was made: one place, or several that make such calls. */
  readonly places: ReadonlySet<string>;
}

/** The reconcile that ended last, by its clock's monotonic time. */
export interface LastReconcile {
  readonly key: string;
  readonly endedMs: number;
}

/** The reconciles of one controller. */
export interface Reconciles {
  /** The keys that are being reconciled. */
  readonly working: readonly string[];
  readonly last: LastReconcile | undefined;
}

/** The calls that rejected with an error. Calls may share one: requests reject with the reason of their signal's abort. */
const callsOf = new WeakMap<object, ReconcileCall[]>();

/** The controllers that run. */
const running = new Map<Reconciles, string>();

/** Records that a call of a reconcile rejected with `error`. */
export function recordRejection(error: unknown, call: ReconcileCall): void {
  if (typeof error !== "object" || error === null) return;
  const calls = callsOf.get(error);
  if (!calls) callsOf.set(error, [call]);
  else if (calls.length <= maxNamed) calls.push(call);
}

/**
 * Names the reconcile that an uncaught error comes from, until disposed: a promise that a reconcile leaves floating and that
 * rejects ends the process, and its stack alone often names neither the key nor a line of the program.
 *
 * An uncaught error gets the property `reconcile`, which Node prints at the end of the error. Nothing else changes: neither
 * the exit code nor other listeners. Node offers no way to write after it has printed an error: it emits "exit" before.
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

/** Must not throw: the process would exit with another code. */
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

/** Whether an error was named before: an `uncaughtException` listener may throw it again. */
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

/** The reconciles in flight, or the last one if none is. */
function possible(at: string | undefined): object | undefined {
  const inFlight = [...running].flatMap(([{ working }, controller]) =>
    working.map((key) => ({ controller, key })),
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
 * @returns whether the error could be changed
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
