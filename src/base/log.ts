/** What the framework and its users write log lines to. A message is constant; what varies is in the fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds `fields` to every line. */
  with(fields: LogFields): Logger;
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

/** Makes a `Logger` of a function that takes entries. */
export function loggerTo(write: (entry: LogEntry) => void, fields: LogFields = {}): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, more?: LogFields): void =>
      write({ level, message, fields: more ? { ...fields, ...more } : fields });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (more) => loggerTo(write, { ...fields, ...more }),
  };
}

/** Writes nothing. */
export const silentLogger: Logger = loggerTo(() => {});
