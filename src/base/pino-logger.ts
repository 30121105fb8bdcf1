import { createRequire } from "node:module";
import type { DestinationStream, Logger as Pino } from "pino";
import { isError } from "./as-error.ts";
import { type Clock, realClock } from "./clock.ts";
import { type LogEntry, type LogFields, type Logger, type LogLevel, loggerTo, logLevels } from "./log.ts";
import { readableLine } from "./readable-line.ts";

export interface LoggerOptions {
  /** Lowest level that is written. @default "info" */
  readonly level?: LogLevel | undefined;
  /** @default standard error */
  readonly stream?: LogStream | undefined;
  /** True for readable lines instead of JSON; in colour on a terminal. @default true if the stream is a terminal */
  readonly readable?: boolean | undefined;
  /** Clock of the time of a line. @default the system clock */
  readonly clock?: Clock | undefined;
}

/** The part of a stream that the logger uses. */
export interface LogStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/**
 * Returns the default logger, which writes to standard error: readable lines on a terminal, JSON (by pino) elsewhere.
 * It loads pino with the first JSON line, so that programs that log nothing do not pay for it.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = "info", stream = process.stderr, clock = realClock } = options;
  const written = new Set(logLevels.slice(logLevels.indexOf(level)));
  const write = (options.readable ?? stream.isTTY) ? readableTo(stream, clock) : jsonTo(stream, clock);
  return loggerTo(write, {}, (each) => written.has(each));
}

function readableTo(stream: LogStream, clock: Clock): (entry: LogEntry) => void {
  return (entry) => stream.write(`${readableLine(entry, clock.now(), { colour: stream.isTTY === true })}\n`);
}

function jsonTo(stream: LogStream, clock: Clock): (entry: LogEntry) => void {
  let pino: Pino | undefined;
  return ({ level, message, fields }) => {
    pino ??= openPino(stream, clock);
    pino[level](jsonFields(fields), message);
  };
}

function openPino(stream: LogStream, clock: Clock): Pino {
  const { pino } = createRequire(import.meta.url)("pino") as typeof import("pino");
  const options = {
    level: "debug",
    base: null,
    timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, stream as DestinationStream); // pino calls only `write`
}

/** Keys that pino writes. A field of the same name would duplicate the key. */
const reservedKeys: ReadonlySet<string> = new Set(["level", "time", "msg"]);

function jsonFields(fields: LogFields): LogFields {
  const json: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    json[reservedKeys.has(name) ? `fields.${name}` : name] = described(value);
  }
  return json;
}

/** Returns an error as data, with its causes and aggregated errors. pino would print `{}` for it. */
function described(value: unknown, part: ErrorPart = { depth: 0, budget: { errors: maxErrors } }): unknown {
  if (!isError(value)) return value;
  const { depth, budget } = part;
  budget.errors -= 1;
  const { name, message, stack, cause } = value;
  const inside = (inner: unknown): unknown => described(inner, { depth: depth + 1, budget });
  const deeper = depth < maxDepth && budget.errors > 0;
  return {
    name,
    message,
    stack,
    cause: deeper ? inside(cause) : undefined,
    errors: deeper && value instanceof AggregateError ? describedErrors(value, part, inside) : undefined,
  };
}

/** Position of an error in the logged one. */
interface ErrorPart {
  readonly depth: number;
  /** Number of further errors that may be described. */
  readonly budget: { errors: number };
}

function describedErrors(
  { errors }: AggregateError,
  { budget }: ErrorPart,
  inside: (error: unknown) => unknown,
): unknown[] {
  const described: unknown[] = [];
  for (const error of errors) {
    if (budget.errors <= 0) return [...described, `${errors.length - described.length} more`];
    described.push(inside(error));
    if (!isError(error)) budget.errors -= 1;
  }
  return described;
}

/** Limit for causes that form a cycle. */
const maxDepth = 8;
/** Limit for an `AggregateError` with many errors. */
const maxErrors = 20;
