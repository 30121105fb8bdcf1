import { asError, describe, isError } from "./as-error.ts";
import { lastResort } from "./last-resort.ts";

/** The logger of the framework and its users. Messages are constant; variable values are fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a logger that adds `fields` to every line. */
  with(fields: LogFields): Logger;
  /**
   * Returns true if lines of this level are written, so that callers can skip expensive lines. @default true for all
   * levels
   */
  writes?(level: LogLevel): boolean;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** One log line before it is formatted. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/**
 * Returns a `Logger` for a function that takes entries. Its methods never throw: a line that `write` fails to write, by
 * throwing or by a rejected promise, is written again with its fields as texts, and then reported on standard error.
 *
 * @param writes Returns true if lines of a level are written; other lines cost nothing. @default all levels
 */
export function loggerTo(
  write: (entry: LogEntry) => void,
  fields: LogFields = {},
  writes: (level: LogLevel) => boolean = () => true,
): Logger {
  return new FieldLogger({ write, writes }, fields, undefined);
}

/** Returns a logger that writes to another one and never throws, even if the other one does. */
export function guardedLogger(logger: Logger): Logger {
  if (logger instanceof FieldLogger) return logger;
  return loggerTo(
    ({ level, message, fields }) => logger[level](message, fields),
    {},
    (level) => logger.writes?.(level) ?? true,
  );
}

interface LogTarget {
  readonly write: (entry: LogEntry) => void;
  readonly writes: (level: LogLevel) => boolean;
}

/** A logger that merges its fields when a line is written, because most loggers write no line. */
class FieldLogger implements Logger {
  readonly #target: LogTarget;
  readonly #own: LogFields;
  readonly #outer: FieldLogger | undefined;

  constructor(target: LogTarget, own: LogFields, outer: FieldLogger | undefined) {
    this.#target = target;
    this.#own = own;
    this.#outer = outer;
  }

  debug(message: string, fields?: LogFields): void {
    this.#line("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#line("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#line("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#line("error", message, fields);
  }

  with(fields: LogFields): Logger {
    return new FieldLogger(this.#target, fields, this);
  }

  writes(level: LogLevel): boolean {
    try {
      return this.#target.writes(level);
    } catch {
      return true;
    }
  }

  #line(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (!this.writes(level)) return;
    this.#attempt(
      () => ({ level, message, fields: { ...this.#all(), ...fields } }),
      () => this.#asTexts({ level, message, fields: fields ?? {} }),
    );
  }

  /** Writes an entry with its fields as strings, in case `write` failed because of a field. */
  #asTexts({ level, message, fields }: LogEntry): void {
    this.#attempt(
      () => ({ level, message, fields: { ...texts(this.#all()), ...texts(fields) } }),
      (error) => lastResort(`log line lost: ${message}: ${asError(error).message}`),
    );
  }

  #attempt(entry: () => LogEntry, onFailed: (error: unknown) => void): void {
    try {
      const writing: unknown = this.#target.write(entry()); // an async function is accepted as `write`, too
      if (writing instanceof Promise) writing.catch(onFailed);
    } catch (error) {
      onFailed(error);
    }
  }

  #all(): LogFields {
    return this.#outer ? { ...this.#outer.#all(), ...this.#own } : this.#own;
  }
}

/** Returns the fields converted to strings, numbers and booleans. */
function texts(fields: LogFields): LogFields {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) found[name] = text(fields, name);
  return found;
}

function text(fields: LogFields, name: string): unknown {
  try {
    const value = fields[name];
    if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
    return isError(value) ? asError(value).message : describe(value);
  } catch {
    return undefined; // a getter that throws
  }
}

/** Writes nothing. */
export const silentLogger: Logger = loggerTo(
  () => {},
  {},
  () => false,
);
