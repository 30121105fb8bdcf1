import fc from "fast-check";
import { expect, test } from "vitest";
import { parsableKeys, parsableValues } from "../../../test/json-keys.ts";
import type { ListMeta } from "../../api/index.ts";
import { ApiError } from "../api-error.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { endOfValue } from "../json/json-walk.ts";
import { ListReader } from "./list-reader.ts";

const request = { method: "GET", path: "/pods" } as const;

interface Cut {
  readonly items: unknown[];
  readonly metadata: ListMeta;
}

/** Returns the items of a body in chunks, and its metadata. */
function cutUp(chunks: readonly Buffer[]): Cut {
  const items: unknown[] = [];
  const onItem = (bytes: Buffer, start: number): number => {
    const end = endOfValue(bytes, start);
    if (end > 0) items.push(JSON.parse(bytes.toString("utf8", start, end)));
    return end;
  };
  const list = new ListReader({ request, onItem });
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    list.push(reused);
    reused.fill("?");
  }
  return { items, metadata: list.end() };
}

/** Splits a body at these offsets. */
function pieces(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const whole = (text: string): Cut => cutUp([Buffer.from(text)]);

const metadata = { resourceVersion: "10", continue: "next" };
const lists = fc.record({
  items: fc.array(fc.dictionary(parsableKeys(fc.string()), parsableValues()), { maxLength: 6 }),
  order: fc.shuffledSubarray(["kind", "apiVersion", "metadata", "items"], { minLength: 4 }),
  indent: fc.constantFrom(undefined, 1, "\t"),
  places: fc.array(fc.nat(), { maxLength: 30 }),
});

test("the items of any list in any chunks are found in order", () => {
  fc.assert(
    fc.property(lists, ({ items, order, indent, places }) => {
      const list: Record<string, unknown> = { kind: "PodList", apiVersion: "v1", metadata, items };
      const text = JSON.stringify(Object.fromEntries(order.map((key) => [key, list[key]])), null, indent);
      const parsed = JSON.parse(text) as { readonly items: unknown[] };
      expect(cutUp(pieces(`${text}\n`, places))).toEqual({ items: parsed.items, metadata });
    }),
  );
});

test("a list that ends too early is a broken connection, wherever it ends", () => {
  const text = JSON.stringify({ kind: "PodList", items: [{ a: "b}" }, {}, 1], metadata: { continue: "" } });
  for (let length = 0; length < text.length; length++) {
    expect(() => whole(text.slice(0, length))).toThrow(ConnectionError);
  }
  expect(() => whole("{")).toThrow("expected more from GET /pods, got an end in the middle of a list");
  expect(whole(text).metadata).toEqual({ continue: "" });
});

test("items and metadata may be null", () => {
  expect(whole('{"kind":"PodList","items":null,"metadata":null}')).toEqual({ items: [], metadata: {} });
});

test.each([
  ['{"metadata":null,"kind":"Pod"}', "a Pod"],
  ['{"metadata":{}}', "an object without a kind"],
])("%s without items is not a list", (text, got) => {
  expect(() => whole(text)).toThrow(`expected a list from GET /pods, got ${got}`);
});

test("the metadata is available before the items", () => {
  const log: unknown[] = [];
  const onItem = (bytes: Buffer, start: number): number => {
    log.push("item");
    return endOfValue(bytes, start);
  };
  const list = new ListReader({ request, onItem, onMetadata: (found) => log.push(found) });
  list.push(Buffer.from('{"metadata":{"continue":"t"},"items":['));
  log.push("pushed");
  list.push(Buffer.from("{}]}"));
  expect(log).toEqual([{ continue: "t" }, "pushed", "item"]);
  expect(list.end()).toEqual({ continue: "t" });
});

test.each([
  "<html>",
  "[]",
  '{"items":[{}{}]}',
  '{"items":[] "kind":"a"}',
  "{items:[]}",
  '{"kind" "a"}',
  '{"kind":tru}',
  '{"items":[]}{}',
  '{"items":[{},]}',
  '{"items":[,{}]}',
  '{"items":[],}',
  '{"kind":}',
  '{"items":[{a}]}',
])("a body that is not a list is rejected: %s", (text) => {
  expect(() => whole(text)).toThrow(
    expect.objectContaining({
      name: ApiError.name,
      reason: "InvalidResponse",
      message: expect.stringMatching(
        /^expected a list from GET \/pods, got ".*"; is that address a Kubernetes API server\?$/,
      ),
    }),
  );
});

test("an item of many chunks is not scanned at every chunk", () => {
  let looks = 0;
  const onItem = (bytes: Buffer, start: number): number => {
    looks += 1;
    return endOfValue(bytes, start);
  };
  const list = new ListReader({ request, onItem });
  const text = JSON.stringify({ items: [{ text: "x".repeat(100_000) }] });
  for (const chunk of text.match(/.{1,100}/g) ?? []) list.push(Buffer.from(chunk));
  expect(list.end()).toEqual({});
  expect(looks).toBeLessThan(20);
});

test("an item longer than an API server stores is rejected", () => {
  const list = new ListReader({ request, onItem: endOfValue });
  list.push(Buffer.from('{"items":["'));
  const chunk = Buffer.alloc(16 * 1024 * 1024, "x");
  const endlessly = (): void => {
    for (let count = 0; count < 5; count++) list.push(chunk);
  };
  expect(endlessly).toThrow("an item of more than 67108864 bytes");
});
