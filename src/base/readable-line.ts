import { inspect } from "node:util";
import type { LogEntry, LogFields, LogLevel } from "./log.ts";

/** An entry as one line for people: time of day in UTC, level, message, then `name=value` for each field. */
export function readableLine(entry: LogEntry, nowMs: number, options: { readonly colour: boolean }): string {
  const paint = (colour: number, text: string): string =>
    options.colour ? `\u001b[${colour}m${text}\u001b[39m` : text;
  const time = new Date(nowMs).toISOString().slice(11, 23);
  const level = paint(colours[entry.level], entry.level.padStart(5));
  const fields = readableFields(entry.fields, (name) => paint(cyan, name));
  return [`${paint(grey, time)} ${level} ${entry.message}`, ...fields].join("  ");
}

const cyan = 36;
const grey = 90;
const colours: Readonly<Record<LogLevel, number>> = { debug: grey, info: 32, warn: 33, error: 31 };

function readableFields(fields: LogFields, paint: (name: string) => string): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${paint(name)}=${readableValue(value)}`);
}

function readableValue(value: unknown): string {
  if (value instanceof Error) return readableValue(messageOf(value));
  if (typeof value !== "string") return inspect(value, oneLine);
  return /[\s"=]/.test(value) || value === "" ? JSON.stringify(value) : value;
}

const oneLine = { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 5 };

/** Its own and those of its causes: what went wrong, then why. */
function messageOf(error: Error): string {
  const messages: string[] = [];
  const seen = new Set<unknown>();
  for (let at: unknown = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    messages.push(at.message || at.name);
  }
  return messages.join(": ");
}
