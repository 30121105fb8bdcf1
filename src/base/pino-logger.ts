import { createRequire } from "node:module";
import type { DestinationStream, Logger as Pino } from "pino";
import { type LogEntry, type LogFields, type Logger, type LogLevel, loggerTo } from "./log.ts";

export interface LoggerOptions {
  /** Lines below it are not written. @default "info" */
  readonly level?: LogLevel | undefined;
  /** @default standard error */
  readonly stream?: LogStream | undefined;
  /** Readable lines instead of JSON. @default whether the stream is a terminal */
  readonly readable?: boolean | undefined;
}

/** The part of a stream that logging needs. */
export interface LogStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/**
 * The default logger: readable lines on a terminal, JSON (pino's) elsewhere, on standard error.
 * pino is loaded with the first line written as JSON, so that programs that log nothing do not pay for it.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = "info", stream = process.stderr } = options;
  const least = rank[level];
  const readable = options.readable ?? stream.isTTY === true;
  const write = readable ? readableTo(stream) : jsonTo(stream);
  return loggerTo((entry) => {
    if (rank[entry.level] >= least) write(entry);
  });
}

const rank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

function jsonTo(stream: LogStream): (entry: LogEntry) => void {
  let pino: Pino | undefined;
  return ({ level, message, fields }) => {
    pino ??= openPino(stream);
    pino[level](fields.error === undefined ? fields : { ...fields, error: described(fields.error) }, message);
  };
}

function openPino(stream: LogStream): Pino {
  const { pino } = createRequire(import.meta.url)("pino") as typeof import("pino");
  const options = {
    level: "debug",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, stream as DestinationStream);
}

/** An error as data: pino would print `{}` for one under any key but its own. */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: described(cause) }) };
}

const paint: Readonly<Record<LogLevel, string>> = {
  debug: "\u001b[90mdebug\u001b[39m",
  info: "\u001b[32m info\u001b[39m",
  warn: "\u001b[33m warn\u001b[39m",
  error: "\u001b[31merror\u001b[39m",
};

function readableTo(stream: LogStream): (entry: LogEntry) => void {
  return ({ level, message, fields }) => {
    const time = new Date().toISOString().slice(11, 23);
    stream.write(`\u001b[90m${time}\u001b[39m ${paint[level]} ${message}${readableFields(fields)}\n`);
  };
}

function readableFields(fields: LogFields): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) parts.push(`  \u001b[36m${name}\u001b[39m=${readableValue(value)}`);
  }
  return parts.join("");
}

function readableValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  if (typeof value === "string") return /[\s"=]/.test(value) || value === "" ? JSON.stringify(value) : value;
  return JSON.stringify(value) ?? String(value);
}
