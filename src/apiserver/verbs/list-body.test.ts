import { expect, test } from "vitest";
import { type Clock, VirtualClock } from "../../base/index.ts";
import type { OutputFormat } from "../codec/negotiation.ts";
import { bodyBytes } from "../types/response-body.ts";
import { writeYaml } from "../yaml/yaml-writer.ts";
import { listBody, type WrittenList } from "./list-body.ts";

const formats: Readonly<Record<string, { readonly format: OutputFormat; write(list: object): string }>> = {
  JSON: {
    format: { encoding: "json", pretty: false },
    write: (list) => `${JSON.stringify(list)}\n`,
  },
  "pretty-printed JSON": {
    format: { encoding: "json", pretty: true },
    write: (list) => JSON.stringify(list, undefined, 2),
  },
  YAML: { format: { encoding: "yaml", pretty: false }, write: writeYaml },
};

const head = { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "9", continue: "" } };
const item = (index: number): object => ({
  metadata: { name: `a${index}`, labels: {}, finalizers: [] },
  data: { long: "a b ".repeat(50), lines: "a\n  b\n", ä: [[1], [], { a: [null, "日"] }] },
});

function list(field: "items" | "rows", size: number): WrittenList<number> {
  const items = Array.from({ length: size }, (_, index) => index);
  return { head, field, empty: field === "rows" ? [] : null, items, parts: partsOf };
}

/** Returns the text of an item in several parts. */
function partsOf(index: number): string[] {
  const json = JSON.stringify(item(index));
  return [json.slice(0, 7), json.slice(7)];
}

const table = Object.entries(formats).flatMap(([name, each]) =>
  (["items", "rows"] as const).flatMap((field) =>
    [0, 1, 3, 3_000].map((size) => ({ name, ...each, field, size })),
  ),
);

test.each(table)(
  "a list of $size $field is written item by item with the same text as by $name",
  async (each) => {
    const { format, write, field, size } = each;
    const written = list(field, size);
    const items = written.items.map(item);
    const body = await listBody(new VirtualClock(), written, format);
    expect(bodyBytes(body).toString()).toBe(write({ ...head, [field]: size === 0 ? written.empty : items }));
  },
);

test("a short list is a string, a long one a list of chunks of bounded size", async () => {
  const format = { encoding: "json", pretty: false } as const;
  expect(await listBody(new VirtualClock(), list("items", 3), format)).toBeTypeOf("string");
  const chunks = await listBody(new VirtualClock(), list("items", 3_000), format);
  const lengths = Array.isArray(chunks) ? chunks.map(({ length }) => length) : [];
  expect([lengths.length, Math.max(...lengths) < 80_000]).toEqual([15, true]);
});

test.each(Object.values(formats))(
  "other work runs every 10 ms while a list is written",
  async ({ format }) => {
    let reads = 0;
    // Every read of this clock takes a millisecond.
    const clock: Clock = { now: () => 0, monotonic: () => ++reads, timer: () => expect.fail() };
    let [turns, written] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!written) setImmediate(count);
    };
    setImmediate(count);
    await listBody(clock, list("items", 100), format);
    written = true;
    expect(turns).toBeGreaterThanOrEqual(9);
  },
);
