import { expect, test } from "vitest";
import { kind } from "../../api/index.ts";
import type { ConfigMap } from "../../api/types/core/v1.ts";
import { lost, refused, type Scripted, Stream } from "./scripted-transport.fixture.ts";
import {
  added,
  error,
  list,
  object,
  TestReflector,
  type TestReflectorOptions,
} from "./test-reflector.fixture.ts";

/** A server that refuses streaming lists, and the replies after that. */
function paged(replies: readonly Scripted[], options?: TestReflectorOptions): TestReflector {
  return new TestReflector([refused({ code: 422, reason: "Invalid" }), ...replies], options);
}

const objects = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_, index) => object(`o${from + index}`, "5"));
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `o${index}@5`);
const expired = refused({ code: 410, reason: "Expired" });

/** A stream with a complete list, then an expired error. */
const once = (version: string): readonly Scripted[] => [
  list(version, []),
  new Stream().lines(error(410, "Expired")),
];

test("the first list has pages of 500, and the watch starts at its version", async () => {
  await using reflector = paged([list("10", objects(2))]);
  expect(await reflector.received()).toEqual(["replace 10 o0@5 o1@5"]);
  const [, listed = "", watched = ""] = reflector.transport.paths;
  expect(listed).toBe("/api/v1/configmaps?limit=500");
  expect(watched).toMatch(
    /^\/api\/v1\/configmaps\?watch=true&resourceVersion=10&allowWatchBookmarks=true&timeoutSeconds=[345]\d\d$/,
  );
});

test.each([0, 1, 10])("a list of %s objects without a continue token is one request", async (count) => {
  await using reflector = paged([list("10", objects(count))], { pageSize: 10 });
  expect(await reflector.received()).toEqual([["replace 10", ...names(count)].join(" ")]);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 10', "watch 10"]);
});

test("the sink receives the pages as one list, with the version of the first page", async () => {
  const replies = [
    list("10", objects(10), "c1"),
    list("11", objects(10, 10), "c2"),
    list("12", objects(1, 20)),
  ];
  await using reflector = paged(replies, { pageSize: 10 });
  expect(await reflector.received()).toEqual([["replace 10", ...names(21)].join(" ")]);
  expect(await reflector.requests()).toEqual([
    'stream ""',
    'list "" limit 10',
    "list continue c1 limit 10",
    "list continue c2 limit 10",
    "watch 10",
  ]);
});

test("only the request of the first page has a resource version", async () => {
  const replies = [...once("10"), list("20", objects(4), "c1"), list("20", objects(1, 4))];
  await using reflector = paged(replies, { pageSize: 4 });
  await reflector.received();
  reflector.transport.paths.length = 0;
  await reflector.clock.advance(2000);
  const lists = reflector.transport.paths.slice(0, 2);
  expect(lists).toEqual([
    "/api/v1/configmaps?resourceVersion=10&resourceVersionMatch=NotOlderThan&limit=4",
    "/api/v1/configmaps?limit=4&continue=c1",
  ]);
});

test("a configured page size applies to lists with a resource version", async () => {
  await using reflector = paged([...once("10"), list("20", [])], { pageSize: 4 });
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 4', "watch 10"]);
  expect((await reflector.next()).requests).toEqual(["list 10 limit 4", "watch 20"]);
});

test("a relist is not older than the last version, and has no pages", async () => {
  await using reflector = paged([...once("10"), list("20", objects(1))]);
  await reflector.requests();
  expect((await reflector.next()).requests).toEqual(["list 10", "watch 20"]);
  expect(await reflector.received()).toEqual(["replace 10", "replace 20 o0@5"]);
});

test.each([
  ["Expired", { code: 410, reason: "Expired" }],
  ["Gone", { code: 410, reason: "Gone" }],
  ["too large, by a cause", { code: 504, reason: "Timeout", details: tooLarge("ResourceVersionTooLarge") }],
  ["too large, by a cause's message", { code: 504, reason: "Timeout", details: tooLarge("") }],
  ["too large, by its message", { code: 504, reason: "Timeout", message: "Too large resource version: 9" }],
])("if the version of a list is %s, a consistent list is requested at once", async (_, refusal) => {
  await using reflector = paged([...once("10"), refused(refusal), list("4", [])]);
  await reflector.requests();
  expect((await reflector.next()).requests).toEqual(["list 10", 'list "" limit 500', "watch 4"]);
});

function tooLarge(reason: string): object {
  return { causes: [{ reason, message: "Too large resource version" }] };
}

test("a list whose pages expire is requested once more, without pages", async () => {
  const replies = [list("10", objects(10), "c1"), expired, list("12", objects(11))];
  await using reflector = paged(replies);
  expect(await reflector.received()).toEqual([["replace 12", ...names(11)].join(" ")]);
  expect(await reflector.requests()).toEqual([
    'stream ""',
    'list "" limit 500',
    "list continue c1 limit 500",
    'list ""',
    "watch 12",
  ]);
});

test("the list without pages has the resource version of the first page's request", async () => {
  const replies = [...once("10"), list("20", objects(4), "c1"), expired, list("21", objects(5))];
  await using reflector = paged(replies, { pageSize: 4 });
  await reflector.requests();
  const { requests } = await reflector.next();
  expect(requests).toEqual(["list 10 limit 4", "list continue c1 limit 4", "list 10", "watch 21"]);
});

test("decode failures of expired pages are reported once, from the list without pages", async () => {
  const odd = { kind: "Pod", metadata: { name: "odd", namespace: "home", resourceVersion: "7" } };
  const replies = [list("10", [odd], "c1"), expired, list("12", [odd, object("a", "5")])];
  await using reflector = paged(replies);
  expect(await reflector.received()).toEqual(["undecodable home/odd 7", "replace 12 a@5"]);
});

test("another failure of a later page fails the list", async () => {
  const replies = [list("10", objects(10), "c1"), refused({ code: 500, reason: "InternalError" })];
  await using reflector = paged(replies);
  expect(await reflector.requests()).toEqual([
    'stream ""',
    'list "" limit 500',
    "list continue c1 limit 500",
  ]);
  expect((await reflector.next()).requests).toEqual(['list "" limit 500']);
  expect(await reflector.received()).toEqual([]);
});

test("a list that expires without pages too fails", async () => {
  const replies = [list("10", objects(10), "c1"), expired, expired];
  await using reflector = paged(replies);
  expect(await reflector.received()).toEqual([]);
  await reflector.requests();
  expect((await reflector.next()).requests).toEqual(['list "" limit 500']);
});

test.each<[string, Scripted]>([
  ["is refused", refused({ code: 500, reason: "InternalError" })],
  ["cannot be requested", lost("ECONNREFUSED")],
  ["breaks off", new Stream().text('{"items":[{').cut()],
  ["ends in the middle of an item", new Stream().text('{"items":[{').end()],
  ["ends after an item", new Stream().text('{"items":[{}').end()],
  ["has no version", { body: { items: [] } }],
  [
    "is a Table",
    { body: { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: "9" } } },
  ],
  ["is a page of a proxy", { body: "<html>" }],
])("a list that %s does not reach the sink, and is requested again after a backoff", async (_, reply) => {
  await using reflector = new TestReflector([refused({ code: 500 }), reply, new Stream()]);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500']);
  expect(reflector.reflector.health).toMatchObject({ phase: "waiting" });
  const { afterMs, requests } = await reflector.next();
  expect(requests).toEqual(['stream ""']);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect(await reflector.received()).toEqual([]);
  expect(reflector.errors).toHaveLength(1);
});

test.each<[string, Scripted, string]>([
  [
    "a Table",
    { body: { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: {}, rows: [] } },
    "expected a list from GET /api/v1/configmaps?limit=500, got a Table",
  ],
  [
    "no JSON",
    { body: "<html>" },
    'expected a list from GET /api/v1/configmaps?limit=500, got "<html>"; is that address a Kubernetes API server?',
  ],
  [
    "an end too early",
    new Stream().text('{"items":[').end(),
    "expected more from GET /api/v1/configmaps?limit=500, got an end in the middle of a list",
  ],
])("a list that is %s is reported with a message that names the problem", async (_, reply, message) => {
  await using reflector = paged([reply]);
  await reflector.received();
  expect(reflector.errors.at(-1)).toBe(message);
});

test("a custom kind called Table can be listed and watched", async () => {
  const table = { group: "example.dev", version: "v1", kind: "Table", plural: "tables", namespaced: true };
  const type = { apiVersion: "example.dev/v1", kind: "Table" };
  const { body } = list("10", [{ ...object("a", "5"), ...type }]);
  const event = added("b", "11");
  const watch = new Stream().lines({ ...event, object: { ...event.object, ...type } });
  await using reflector = paged([{ body: { ...body, ...type, kind: "TableList" } }, watch], {
    kind: kind<ConfigMap>(table),
  });
  expect(await reflector.received()).toEqual(["replace 10 a@5", "added b@11"]);
});

test("a list can arrive in chunks of any size", async () => {
  const stream = new Stream();
  for (const piece of JSON.stringify(list("10", objects(30)).body).match(/.{1,7}/gs) ?? [])
    stream.text(piece);
  await using reflector = paged([stream.end()]);
  expect(await reflector.received()).toEqual([["replace 10", ...names(30)].join(" ")]);
});

test("a list may contain white space", async () => {
  await using reflector = paged([{ body: JSON.stringify(list("10", objects(3)).body, null, 2) }]);
  expect(await reflector.received()).toEqual([["replace 10", ...names(3)].join(" ")]);
});

test("an undecodable item is reported, and the sink receives the other items", async () => {
  const odd = { metadata: { name: "odd", namespace: "home", resourceVersion: "7" } };
  const nameless = { metadata: {} };
  const reply = list("10", [object("a", "5"), { kind: "Pod", ...odd }, nameless, object("b", "6")]);
  await using reflector = paged([reply]);
  expect(await reflector.received()).toEqual([
    "undecodable home/odd 7",
    "undecodable undefined undefined",
    "replace 10 a@5 b@6",
  ]);
});

test("an item for which the transform throws is undecodable", async () => {
  const transform = () => {
    throw new Error("no");
  };
  await using reflector = paged([list("10", objects(1))], { transform });
  expect(await reflector.received()).toEqual(["undecodable home/o0 5", "replace 10"]);
});

test("a list that is silent for 70 s is aborted", async () => {
  const stream = new Stream().text('{"items":[');
  await using reflector = paged([stream]);
  await reflector.requests();
  await reflector.clock.advance(69_999);
  expect(reflector.reflector.health.phase).toBe("listing");
  await reflector.clock.advance(1);
  expect(reflector.reflector.health.phase).toBe("waiting");
  expect(stream.closed).toBe(true);
});

test("an abort after a list requests no watch and reports no failure", async () => {
  const stream = new Stream();
  const reflector = paged([stream]);
  await reflector.requests();
  stream.text(JSON.stringify(list("10", objects(1)).body)).end();
  await reflector.end();
  expect({ requests: await reflector.requests(), errors: reflector.errors.length }).toEqual({
    requests: [],
    errors: 1,
  });
});

test("an abort during a list leaves the sink unchanged", async () => {
  const stream = new Stream().text('{"items":[');
  const reflector = paged([stream]);
  await reflector.requests();
  await reflector.end();
  expect({ told: await reflector.received(), errors: reflector.errors.length }).toEqual({
    told: [],
    errors: 1,
  });
});

test("a list that expires with and without pages fails, and is requested again after a backoff", async () => {
  const expiring = [list("10", objects(10), "c1"), expired, list("12", objects(11), "c2"), expired];
  await using reflector = paged([...expiring, list("13", [])]);
  expect(await reflector.requests()).toEqual([
    'stream ""',
    'list "" limit 500',
    "list continue c1 limit 500",
    'list ""',
    "list continue c2",
  ]);
  const { afterMs, requests } = await reflector.next();
  expect(requests).toEqual(['list "" limit 500', "watch 13"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect(reflector.errors.at(-1)).toContain("got an expired continue token twice");
});

test("a repeated continue token fails the list, and it is requested again after a backoff", async () => {
  const circle = [list("10", objects(1), "c1"), list("10", objects(1), "c2"), list("10", objects(1), "c1")];
  await using reflector = paged([...circle, list("13", [])]);
  expect(await reflector.requests()).toEqual([
    'stream ""',
    'list "" limit 500',
    "list continue c1 limit 500",
    "list continue c2 limit 500",
  ]);
  expect((await reflector.next()).afterMs).toBeGreaterThanOrEqual(800);
  expect(await reflector.received()).toEqual(["replace 13"]);
});
