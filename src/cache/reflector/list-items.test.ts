import fc from "fast-check";
import { expect, test } from "vitest";
import { parsableKeys, parsableValues } from "../../../test/json-keys.ts";
import { endOfValue } from "../../transport/index.ts";
import { type ListHead, ListItems, NotAListError } from "./list-items.ts";

interface Cut {
  readonly items: unknown[];
  readonly head: ListHead | undefined;
}

/** Returns the items of a body in chunks, and its head. */
function cutUp(chunks: readonly Buffer[]): Cut {
  const items: unknown[] = [];
  const list = new ListItems((bytes, start) => {
    const end = endOfValue(bytes, start);
    if (end > 0) items.push(JSON.parse(bytes.toString("utf8", start, end)));
    return end;
  });
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    list.push(reused);
    reused.fill("?");
  }
  return { items, head: list.end() };
}

/** Splits a body at these offsets. */
function pieces(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const whole = (text: string): Cut => cutUp([Buffer.from(text)]);

const metadata = { resourceVersion: "10", continue: "next" };
const head = { kind: "PodList", hasItems: true, resourceVersion: "10", continue: "next" };
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
      expect(cutUp(pieces(`${text}\n`, places))).toEqual({ items: parsed.items, head });
    }),
  );
});

test("a truncated list has no head", () => {
  const text = JSON.stringify({ kind: "PodList", items: [{ a: "b}" }, {}, 1], metadata: { continue: "" } });
  for (let length = 0; length < text.length; length++) {
    expect(whole(text.slice(0, length)).head).toBeUndefined();
  }
  const last = { kind: "PodList", hasItems: true, resourceVersion: undefined, continue: undefined };
  expect(whole(text).head).toEqual(last);
});

test("items may be null or missing", () => {
  const none = { kind: "PodList", resourceVersion: undefined, continue: undefined };
  expect(whole('{"kind":"PodList","items":null}')).toEqual({ items: [], head: { ...none, hasItems: true } });
  expect(whole('{"metadata":null,"kind":"PodList"}')).toEqual({
    items: [],
    head: { ...none, hasItems: false },
  });
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
])("a body that is not a list is rejected: %s", (text) => {
  expect(() => whole(text)).toThrow(NotAListError);
});

test("an item of many chunks is not scanned at every chunk", () => {
  let looks = 0;
  const list = new ListItems((bytes, start) => {
    looks += 1;
    return endOfValue(bytes, start);
  });
  const text = JSON.stringify({ items: [{ text: "x".repeat(100_000) }] });
  for (const chunk of text.match(/.{1,100}/g) ?? []) list.push(Buffer.from(chunk));
  expect(list.end()?.hasItems).toBe(true);
  expect(looks).toBeLessThan(20);
});

test("an item longer than an API server stores is rejected", () => {
  const list = new ListItems(endOfValue);
  list.push(Buffer.from('{"items":["'));
  const chunk = Buffer.alloc(16 * 1024 * 1024, "x");
  const endlessly = (): void => {
    for (let count = 0; count < 5; count++) list.push(chunk);
  };
  expect(endlessly).toThrow("an item of more than 67108864 bytes");
});
