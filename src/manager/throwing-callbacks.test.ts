/**
 * Everything that a user passes to a manager may throw, and every value may be thrown. None of it ends the manager:
 * each test lets one of them throw while "a" is reconciled, and then expects "b" to be reconciled.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ObjectKey } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { createLogger, type Logger, loggerTo, noTracer, type Tracer } from "../base/index.ts";
import {
  type Context,
  type ControllerOptions,
  controller,
  external,
  owns,
  watches,
} from "../controller/index.ts";
import type { ManagerOptions } from "./index.ts";
import { Managed } from "./managed.fixture.ts";

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});

afterEach(() => void vi.restoreAllMocks());

interface Rows {
  readonly options?: Partial<ControllerOptions<ConfigMap>>;
  readonly manager?: Partial<ManagerOptions>;
  /** Thrown by the first two reconciles of `a`. */
  readonly thrown?: () => unknown;
}

/**
 * Reconciles "a", which throws at first, and then "b". @returns what was reconciled without a failure, and how the
 * manager ended
 */
async function survives({ options, manager = {}, thrown }: Rows): Promise<unknown> {
  await using world = await Managed.start();
  const reconciled = new Set<string>();
  let failures = 0;
  const reconcile = async ({ name }: ObjectKey, { log }: Context): Promise<void> => {
    log.info("reconciling", { name });
    if (thrown && name === "a" && failures++ < 2) throw thrown();
    reconciled.add(name);
  };
  const named = { name: "maps", for: ConfigMap, reconcile } as const;
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.cluster.client.create(Secret, { metadata: { name: "a" } });
  await world.run([controller({ ...named, ...options } as ControllerOptions<ConfigMap>)], manager);
  await world.clock.advance(60_000);
  await world.cluster.client.create(ConfigMap, { metadata: { name: "b" } });
  await world.clock.advance(60_000);
  const names = [...reconciled].filter((name) => name.length === 1).sort();
  return { reconciled: names, over: await world.end() };
}

const fine = { reconciled: ["a", "b"], over: "over" };

function fail(): never {
  throw new Error("thrown by a callback");
}

const throwingLogger: Logger = { debug: fail, info: fail, warn: fail, error: fail, with: fail, writes: fail };
const rejectingSink = (() => Promise.reject(new Error("sink"))) as () => void;

test.each<[string, () => Logger]>([
  ["a logger whose every method throws", () => throwingLogger],
  ["a logger whose lines throw", () => ({ ...throwingLogger, with: () => throwingLogger })],
  ["a logger whose with() returns nothing", () => ({ ...throwingLogger, with: (() => undefined) as never })],
  ["a loggerTo sink that throws", () => loggerTo(fail)],
  ["a loggerTo sink whose promise rejects", () => loggerTo(rejectingSink)],
  ["a loggerTo level filter that throws", () => loggerTo(() => {}, {}, fail)],
  ["a logger whose promises reject", () => ({ ...throwingLogger, ...rejectingLines() })],
  ["a stream that throws", () => createLogger({ stream: { write: fail } })],
])("%s", async (_, log) => {
  expect(await survives({ manager: { log: log() } })).toEqual(fine);
});

function rejectingLines(): Logger {
  const log: Logger = {
    debug: rejectingSink,
    info: rejectingSink,
    warn: rejectingSink,
    error: rejectingSink,
    with: () => log,
  };
  return log;
}

test("a lost log entry is reported on standard error, once for many of them", async () => {
  vi.resetModules();
  const { loggerTo: fresh } = await import("../base/index.ts");
  const log = fresh(fail);
  for (let index = 0; index < 100; index++) log.warn("reconcile failed", { index });
  expect(written).toEqual(["log line lost: reconcile failed: thrown by a callback\n"]);
});

const trap = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`trapped ${String(name)}`);
    },
  },
);

/** Values that are hard to describe. */
const hostileValues: readonly [string, () => unknown][] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["a symbol", () => Symbol("thrown")],
  ["a function", () => fail],
  ["a revoked proxy", () => revoked({})],
  ["a revoked proxy of an error", () => revoked(new Error("inner"))],
  ["a proxy whose traps throw", () => new Proxy(new Error("inner"), trap)],
  ["an object without a prototype", () => Object.create(null)],
  ["an object whose toString throws", () => ({ toString: fail, [Symbol.toPrimitive]: fail })],
  ["an object whose inspection throws", () => ({ [Symbol.for("nodejs.util.inspect.custom")]: fail })],
  ["an object whose toStringTag throws", () => Object.defineProperty({}, Symbol.toStringTag, { get: fail })],
  ...["name", "message", "stack", "cause", "toString", "toJSON", "errors"].map(
    (name): [string, () => unknown] => [
      `an error whose ${name} throws`,
      () => Object.defineProperty(new Error("inner"), name, { get: fail }),
    ],
  ),
  ["an error with a revoked proxy as its cause", () => new Error("outer", { cause: revoked({}) })],
  ["an error that is its own cause", () => ring()],
  ["an error with 100,000 causes", () => chain(100_000)],
  ["an AggregateError of 100,000 errors", () => new AggregateError(manyErrors(), "many")],
  ["an AggregateError of a revoked proxy", () => new AggregateError([revoked({})], "one")],
  ["an AggregateError whose errors are no list", () => Object.assign(new AggregateError([]), { errors: 1 })],
];

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function ring(): Error {
  const error = new Error("ring");
  return Object.assign(error, { cause: new Error("other half", { cause: error }) });
}

function chain(length: number): Error {
  return withoutStacks(() => {
    let error = new Error("first");
    for (let index = 1; index < length; index++) error = new Error(`${index}`, { cause: error });
    return error;
  });
}

function manyErrors(): Error[] {
  return withoutStacks(() => Array.from({ length: 100_000 }, (_, index) => new Error(`${index}`)));
}

/** Errors take most of their time to capture stacks. */
function withoutStacks<R>(create: () => R): R {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const created = create();
  Error.stackTraceLimit = stackTraceLimit;
  return created;
}

const loggers: readonly [string, (lines: string[]) => Logger][] = [
  ["readable lines", (lines) => createLogger({ stream: streamTo(lines), readable: true })],
  ["JSON", (lines) => createLogger({ stream: streamTo(lines), readable: false })],
];

function streamTo(lines: string[]): { write(text: string): unknown } {
  return { write: (text) => lines.push(text) };
}

for (const [how, log] of loggers) {
  test.each(hostileValues)(`a reconcile that throws %s, logged as ${how}`, async (_, thrown) => {
    const lines: string[] = [];
    expect(await survives({ thrown, manager: { log: log(lines) } })).toEqual(fine);
    const failures = lines.filter((line) => line.includes("reconcile failed"));
    expect(failures).toHaveLength(2);
    expect(Math.max(...failures.map(({ length }) => length))).toBeLessThan(100_000);
  });
}

test.each<[string, Partial<ControllerOptions<ConfigMap>>]>([
  ["an onError that throws", { onError: fail }],
  ["an onError that rejects with a revoked proxy", { onError: () => Promise.reject(revoked({})) }],
  ["a limiter that throws", { limiter: { delayMs: fail, forget: fail, retries: fail } }],
  ["a limiter that returns NaN", { limiter: { delayMs: () => Number.NaN, forget() {}, retries: () => 0 } }],
  ["a predicate of an owned kind that throws", { on: [owns(Secret, { when: fail })] }],
  ["a mapper that throws", { on: [watches(Secret, fail)] }],
  ["a mapper that throws a revoked proxy", { on: [watches(Secret, () => throwIt(revoked({})))] }],
  ["a mapper that returns no list", { on: [watches(Secret, () => 7 as never)] }],
  ["a mapper that returns no keys", { on: [watches(Secret, () => [undefined as never, {} as never])] }],
  ["a transform that throws", { on: [owns(Secret, { view: { transform: fail } })] }],
  ["an external source that throws", { on: [external(fail)] }],
  ["an external source that throws a revoked proxy", { on: [external(() => throwIt(revoked({})))] }],
])("%s", async (_, options) => {
  expect(await survives({ options, thrown: () => new Error("first") })).toEqual(fine);
});

function throwIt(value: unknown): never {
  throw value;
}

const throwingSpans: Tracer = {
  ...noTracer,
  trace: (_, work) => work({ set: fail, fail }),
};

test.each<[string, Tracer]>([
  ["a tracer that throws before its work", { ...noTracer, trace: fail }],
  [
    "a tracer that rejects after its work",
    { ...noTracer, trace: async (_, work) => work(noSpan).then(fail) },
  ],
  ["a tracer whose spans throw", throwingSpans],
  ["a tracer that records and adds headers with a throw", { ...noTracer, record: fail, headers: fail }],
])("%s", async (_, tracer) => {
  expect(await survives({ manager: { tracer }, thrown: () => new Error("first") })).toEqual(fine);
});

const noSpan = { set() {}, fail() {} };
