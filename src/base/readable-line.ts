import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { causesOf, isError } from "./as-error.ts";
import type { LogEntry, LogFields, LogLevel } from "./log.ts";

/**
 * Formats an entry as one readable line: time of day in UTC, level, message, then `name=value` for each field. At level
 * "error", the position in the program's own code follows an error.
 */
export function readableLine(entry: LogEntry, nowMs: number, options: { readonly colour: boolean }): string {
  const paint = (colour: number, text: string): string =>
    options.colour ? `\u001b[${colour}m${text}\u001b[39m` : text;
  const time = new Date(nowMs).toISOString().slice(11, 23);
  const level = paint(colours[entry.level], entry.level.padStart(5));
  const fields = readableFields(withPosition(entry), (name) => paint(cyan, name));
  return [`${paint(grey, time)} ${level} ${entry.message}`, ...fields].join("  ");
}

const cyan = 36;
const grey = 90;
const colours: Readonly<Record<LogLevel, number>> = { debug: grey, info: 32, warn: 33, error: 31 };

/** Adds the source position of an error. Warnings get none, because they have external causes. */
function withPosition({ level, fields }: LogEntry): LogFields {
  if (level !== "error" || !isError(fields.error)) return fields;
  const { error, ...others } = fields;
  return { error, at: placeOf(fields.error), ...others };
}

/**
 * Returns the position of the first stack frame that is neither in Node nor in a package, such as
 * "src/website.ts:28:31".
 */
export function placeOf({ stack = "" }: Pick<Error, "stack">): string | undefined {
  const frames = stack.split("\n").filter((line) => /^ +at /.test(line));
  const own = frames.find((frame) => !/node:|node_modules|<anonymous>|native/.test(frame));
  const [, place = ""] = /\(?([^\s()]+:\d+:\d+)\)?$/.exec(own ?? "") ?? [];
  return place === ""
    ? undefined
    : relative(process.cwd(), place.startsWith("file:") ? fileURLToPath(place) : place);
}

function readableFields(fields: LogFields, paint: (name: string) => string): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${paint(name)}=${readableValue(value)}`);
}

function readableValue(value: unknown): string {
  if (isError(value)) return readableValue(messageOf(value));
  if (hasText(value)) return readableValue(inspect(value));
  if (typeof value !== "string") return inspect(asJson(value), oneLine);
  return /[\s"=]/.test(value) || value === "" ? JSON.stringify(value) : value;
}

/** Returns true for a value that has its own text, by `inspect.custom` of node:util. */
function hasText(value: unknown): boolean {
  return typeof value === "object" && value !== null && inspect.custom in value;
}

/** Converts values that have a `toJSON` method. */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  return typeof value.toJSON === "function" ? value.toJSON() : value;
}

const oneLine = { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 5 };

/** Joins the messages of an error and its causes, outermost first. */
function messageOf(error: Error): string {
  const errors = causesOf(error).filter(isError);
  return errors.map(({ message, name }) => message || name).join(": ");
}
