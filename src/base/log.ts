/** What the framework and its users write log lines to. A message is constant; what varies is in the fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds `fields` to every line. */
  with(fields: LogFields): Logger;
  /** Whether lines of this level are written: who knows that they are not need not make them. @default all may be */
  writes?(level: LogLevel): boolean;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** One line, before it becomes text. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/**
 * Makes a `Logger` of a function that takes entries.
 *
 * @param writes whether lines of a level are wanted: those that are not cost nothing. @default all are
 */
export function loggerTo(
  write: (entry: LogEntry) => void,
  fields: LogFields = {},
  writes: (level: LogLevel) => boolean = () => true,
): Logger {
  return new FieldLogger({ write, writes }, fields, undefined);
}

interface LogTarget {
  readonly write: (entry: LogEntry) => void;
  readonly writes: (level: LogLevel) => boolean;
}

/** Fields are put together when a line is written: most loggers write none. */
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
    return this.#target.writes(level);
  }

  #line(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (this.writes(level)) this.#target.write({ level, message, fields: { ...this.#all(), ...fields } });
  }

  #all(): LogFields {
    return this.#outer ? { ...this.#outer.#all(), ...this.#own } : this.#own;
  }
}

/** Writes nothing. */
export const silentLogger: Logger = loggerTo(
  () => {},
  {},
  () => false,
);
