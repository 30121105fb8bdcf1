import { expect, test } from "vitest";
import { lazyObject } from "./lazy-object.ts";
import { entryOf, type Thing, thing } from "./objects.fixture.ts";

const object = thing("a/b", 1, { spec: { size: 3 }, status: { ready: true } });

function lazy(): Thing {
  return lazyObject<Thing>(entryOf(object));
}

test("it can be copied, printed and compared like the parsed object", () => {
  expect(lazy()).toStrictEqual(object);
  expect({ ...lazy() }).toStrictEqual(object);
  expect(structuredClone(lazy())).toStrictEqual(object);
  expect(JSON.parse(JSON.stringify(lazy()))).toStrictEqual(object);
  expect(Object.keys(lazy())).toEqual(Object.keys(object));
  expect("other" in lazy()).toBe(false);
});

test("its fields are the same at every read", () => {
  const one = lazy();
  expect(one.metadata).toBe(one.metadata);
  expect(one.spec).toBe(one.spec);
});

/** Returns a lazy object, and how often it was parsed completely. */
function counted(): { readonly one: Thing; readonly parses: () => number } {
  const entry = entryOf(object);
  let parses = 0;
  const parse = entry.parse.bind(entry);
  entry.parse = <T>() => {
    parses += 1;
    return parse() as T;
  };
  return { one: lazyObject<Thing>(entry), parses: () => parses };
}

test("reading metadata parses only the metadata", () => {
  const { one, parses } = counted();
  expect(one.metadata.name).toBe("b");
  expect(parses()).toBe(0);
  expect([one.spec, one.status]).toEqual([object.spec, object.status]);
  expect(parses()).toBe(1);
});

test("the first other field is parsed alone, and stays the same when the rest is parsed", () => {
  const { one, parses } = counted();
  const { status } = one;
  expect([status, one.status, parses()]).toEqual([object.status, object.status, 0]);
  expect([one.spec, one.kind, parses()]).toEqual([object.spec, "Thing", 1]);
  expect(one.status).toBe(status);
});

test("changes by the caller are not undone by later parsing", () => {
  const entry = entryOf(object);
  const one = lazyObject<Thing>(entry);
  one.metadata.labels = { changed: "yes" };
  one.status = "mine";
  delete one.spec;
  expect(one).toEqual({
    apiVersion: "example.dev/v1",
    kind: "Thing",
    metadata: { ...object.metadata, labels: { changed: "yes" } },
    status: "mine",
  });
  expect(lazyObject<Thing>(entry)).toStrictEqual(object);
});
