import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { LogFields } from "./log.ts";
import { readableLine } from "./readable-line.ts";

const atMs = Date.UTC(2026, 0, 1, 9, 8, 7, 65);
const line = (fields: LogFields): string =>
  readableLine({ level: "info", message: "reconciled", fields }, atMs, { colour: false });
const ring = new Error("ring");
ring.cause = ring;

test("a line consists of time, level, message and fields", () => {
  expect(line({ key: "a/b", ms: 5 })).toBe("09:08:07.065  info reconciled  key=a/b  ms=5");
});

test.each([
  ["debug", "\u001b[90mdebug"],
  ["info", "\u001b[32m info"],
  ["warn", "\u001b[33m warn"],
  ["error", "\u001b[31merror"],
] as const)("a line in colour paints time, level %s and names", (level, painted) => {
  const entry = { level, message: "failed", fields: { key: "a" } };
  expect(readableLine(entry, atMs, { colour: true })).toBe(
    `\u001b[90m09:08:07.065\u001b[39m ${painted}\u001b[39m failed  \u001b[36mkey\u001b[39m=a`,
  );
});

test.each<[string, unknown, string]>([
  ["a plain string", "a/b", "value=a/b"],
  ["an empty string", "", 'value=""'],
  ["a string with spaces, quotes or lines", 'a "b"\nc=d', 'value="a \\"b\\"\\nc=d"'],
  ["an object", { a: [1, { b: { c: "x\ny" } }] }, "value={ a: [ 1, { b: { c: 'x\\ny' } } ] }"],
  ["a big integer", 10n, "value=10n"],
  ["null", null, "value=null"],
  ["an error", new TypeError("broken"), "value=broken"],
  [
    "an error with causes",
    new Error("a", { cause: new Error("b", { cause: new Error("c") }) }),
    'value="a: b: c"',
  ],
  ["an error without a message", new AggregateError([]), "value=AggregateError"],
  ["an error that is its own cause", ring, "value=ring"],
])("%s is readable", (_, value, text) => {
  expect(line({ value })).toBe(`09:08:07.065  info reconciled  ${text}`);
});

test("an error has its position in the program's own code", () => {
  const error = new Error("no idea what to do");
  error.stack = [
    "Error: no idea what to do",
    "    at fetchBody (file:///home/me/shop/node_modules/trimtab/dist/client/fetch-json.js:10:15)",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
    `    at async reconcile (${pathToFileURL(join(process.cwd(), "src", "website.ts"))}:28:31)`,
  ].join("\n");
  const entry = { level: "error", message: "reconcile failed", fields: { error, attempt: 1 } } as const;
  expect(readableLine(entry, atMs, { colour: false })).toBe(
    '09:08:07.065 error reconcile failed  error="no idea what to do"  at=src/website.ts:28:31  attempt=1',
  );
});

test("an error without a frame in own code has no position", () => {
  const error = new Error("gone");
  error.stack = "Error: gone";
  const entry = { level: "error", message: "reconcile failed", fields: { error } } as const;
  expect(readableLine(entry, atMs, { colour: false })).toBe(
    "09:08:07.065 error reconcile failed  error=gone",
  );
});

test("a value with toJSON is shown as its JSON form", () => {
  const reason = { toJSON: () => ({ kind: "Website", event: "added" }) };
  expect(line({ reasons: [reason] })).toBe(
    "09:08:07.065  info reconciled  reasons=[ { kind: 'Website', event: 'added' } ]",
  );
});

test("an undefined field is omitted", () => {
  expect(line({ key: undefined, ms: 5 })).toBe("09:08:07.065  info reconciled  ms=5");
});

test("a circular value is written", () => {
  const ringed: Record<string, unknown> = { a: 1 };
  ringed.self = ringed;
  expect(line({ ringed })).toContain("[Circular");
});
