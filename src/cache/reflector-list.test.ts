import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import type { ConfigMap } from "../api/types/core/v1.ts";
import { added, error, list, object, Reflected, type ReflectedOptions } from "./reflected.fixture.ts";
import { lost, refused, type Scripted, Stream } from "./scripted-transport.fixture.ts";

/** A server that refuses streams, and what it was asked after that. */
function paged(replies: readonly Scripted[], options?: ReflectedOptions): Reflected {
  return new Reflected([refused({ code: 422, reason: "Invalid" }), ...replies], options);
}

const objects = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_, index) => object(`o${from + index}`, "5"));
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `o${index}@5`);
const expired = refused({ code: 410, reason: "Expired" });

/** Told all there is, and asked to begin anew. */
const once = (version: string): readonly Scripted[] => [
  list(version, []),
  new Stream().lines(error(410, "Expired")),
];

test("the newest there is is asked for in pages of 500, and watched from its version", async () => {
  await using reflected = paged([list("10", objects(2))]);
  expect(await reflected.told()).toEqual(["replace 10 o0@5 o1@5"]);
  const [, listed = "", watched = ""] = reflected.transport.paths;
  expect(listed).toBe("/api/v1/configmaps?limit=500");
  expect(watched).toMatch(
    /^\/api\/v1\/configmaps\?watch=true&resourceVersion=10&allowWatchBookmarks=true&timeoutSeconds=[345]\d\d$/,
  );
});

test.each([0, 1, 10])("a list of %s objects and no further page is one request", async (count) => {
  await using reflected = paged([list("10", objects(count))], { pageSize: 10 });
  expect(await reflected.told()).toEqual([["replace 10", ...names(count)].join(" ")]);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 10', "watch 10"]);
});

test("the pages of a list are told as one, with the version of the first", async () => {
  const replies = [
    list("10", objects(10), "c1"),
    list("11", objects(10, 10), "c2"),
    list("12", objects(1, 20)),
  ];
  await using reflected = paged(replies, { pageSize: 10 });
  expect(await reflected.told()).toEqual([["replace 10", ...names(21)].join(" ")]);
  expect(await reflected.asked()).toEqual([
    'stream ""',
    'list "" limit 10',
    "list continue c1 limit 10",
    "list continue c2 limit 10",
    "watch 10",
  ]);
});

test("the version goes with the first page alone", async () => {
  const replies = [...once("10"), list("20", objects(4), "c1"), list("20", objects(1, 4))];
  await using reflected = paged(replies, { pageSize: 4 });
  await reflected.told();
  reflected.transport.paths.length = 0;
  await reflected.clock.advance(2000);
  const lists = reflected.transport.paths.slice(0, 2);
  expect(lists).toEqual([
    "/api/v1/configmaps?resourceVersion=10&resourceVersionMatch=NotOlderThan&limit=4",
    "/api/v1/configmaps?limit=4&continue=c1",
  ]);
});

test("a page size that was asked for holds for lists of a version too", async () => {
  await using reflected = paged([...once("10"), list("20", [])], { pageSize: 4 });
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 4', "watch 10"]);
  expect((await reflected.next()).asked).toEqual(["list 10 limit 4", "watch 20"]);
});

test("a later list is not older than what was told, and comes in one piece", async () => {
  await using reflected = paged([...once("10"), list("20", objects(1))]);
  await reflected.asked();
  expect((await reflected.next()).asked).toEqual(["list 10", "watch 20"]);
  expect(await reflected.told()).toEqual(["replace 10", "replace 20 o0@5"]);
});

test.each([
  ["Expired", { code: 410, reason: "Expired" }],
  ["Gone", { code: 410, reason: "Gone" }],
  ["too large, by a cause", { code: 504, reason: "Timeout", details: tooLarge("ResourceVersionTooLarge") }],
  ["too large, by a cause's message", { code: 504, reason: "Timeout", details: tooLarge("") }],
  ["too large, by its message", { code: 504, reason: "Timeout", message: "Too large resource version: 9" }],
])("a list of a version that is %s is given up for the newest, at once", async (_, refusal) => {
  await using reflected = paged([...once("10"), refused(refusal), list("4", [])]);
  await reflected.asked();
  expect((await reflected.next()).asked).toEqual(["list 10", 'list "" limit 500', "watch 4"]);
});

function tooLarge(reason: string): object {
  return { causes: [{ reason, message: "Too large resource version" }] };
}

test("a list whose pages expire under way is asked for once more, in one piece", async () => {
  const replies = [list("10", objects(10), "c1"), expired, list("12", objects(11))];
  await using reflected = paged(replies);
  expect(await reflected.told()).toEqual([["replace 12", ...names(11)].join(" ")]);
  expect(await reflected.asked()).toEqual([
    'stream ""',
    'list "" limit 500',
    "list continue c1 limit 500",
    'list ""',
    "watch 12",
  ]);
});

test("in one piece, a list is of the version that its first page was asked for", async () => {
  const replies = [...once("10"), list("20", objects(4), "c1"), expired, list("21", objects(5))];
  await using reflected = paged(replies, { pageSize: 4 });
  await reflected.asked();
  const { asked } = await reflected.next();
  expect(asked).toEqual(["list 10 limit 4", "list continue c1 limit 4", "list 10", "watch 21"]);
});

test("what could not be read of pages that expired is told once, of the list in one piece", async () => {
  const odd = { kind: "Pod", metadata: { name: "odd", namespace: "home", resourceVersion: "7" } };
  const replies = [list("10", [odd], "c1"), expired, list("12", [odd, object("a", "5")])];
  await using reflected = paged(replies);
  expect(await reflected.told()).toEqual(["undecodable home/odd 7", "replace 12 a@5"]);
});

test("a list whose later page fails otherwise has failed", async () => {
  const replies = [list("10", objects(10), "c1"), refused({ code: 500, reason: "InternalError" })];
  await using reflected = paged(replies);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500', "list continue c1 limit 500"]);
  expect((await reflected.next()).asked).toEqual(['list "" limit 500']);
  expect(await reflected.told()).toEqual([]);
});

test("a list that expires in one piece too has failed", async () => {
  const replies = [list("10", objects(10), "c1"), expired, expired];
  await using reflected = paged(replies);
  expect(await reflected.told()).toEqual([]);
  await reflected.asked();
  expect((await reflected.next()).asked).toEqual(['list "" limit 500']);
});

test.each<[string, Scripted]>([
  ["is refused", refused({ code: 500, reason: "InternalError" })],
  ["cannot be asked for", lost("ECONNREFUSED")],
  ["breaks off", new Stream().text('{"items":[{').cut()],
  ["ends in the middle of an item", new Stream().text('{"items":[{').end()],
  ["ends after an item", new Stream().text('{"items":[{}').end()],
  ["has no version", { body: { items: [] } }],
  [
    "is a Table",
    { body: { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: "9" } } },
  ],
  ["is a page of a proxy", { body: "<html>" }],
])("a list that %s is not told, and all begins anew after a while", async (_, reply) => {
  await using reflected = new Reflected([refused({ code: 500 }), reply, new Stream()]);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500']);
  expect(reflected.reflector.health).toMatchObject({ phase: "waiting" });
  const { afterMs, asked } = await reflected.next();
  expect(asked).toEqual(['stream ""']);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect(await reflected.told()).toEqual([]);
  expect(reflected.errors).toHaveLength(1);
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
])("a list that is %s is told as an error that says so", async (_, reply, message) => {
  await using reflected = paged([reply]);
  await reflected.told();
  expect(reflected.errors.at(-1)).toBe(message);
});

test("a kind of one's own that is called Table is told, by a list and by a watch", async () => {
  const table = { group: "example.dev", version: "v1", kind: "Table", plural: "tables", namespaced: true };
  const type = { apiVersion: "example.dev/v1", kind: "Table" };
  const { body } = list("10", [{ ...object("a", "5"), ...type }]);
  const event = added("b", "11");
  const watch = new Stream().lines({ ...event, object: { ...event.object, ...type } });
  await using reflected = paged([{ body: { ...body, ...type, kind: "TableList" } }, watch], {
    kind: kind<ConfigMap>(table),
  });
  expect(await reflected.told()).toEqual(["replace 10 a@5", "added b@11"]);
});

test("a list that comes in small pieces is the same list", async () => {
  const stream = new Stream();
  for (const piece of JSON.stringify(list("10", objects(30)).body).match(/.{1,7}/gs) ?? [])
    stream.text(piece);
  await using reflected = paged([stream.end()]);
  expect(await reflected.told()).toEqual([["replace 10", ...names(30)].join(" ")]);
});

test("a list with white space in it is a list", async () => {
  await using reflected = paged([{ body: JSON.stringify(list("10", objects(3)).body, null, 2) }]);
  expect(await reflected.told()).toEqual([["replace 10", ...names(3)].join(" ")]);
});

test("an item that cannot be read is set aside, and the rest is told", async () => {
  const odd = { metadata: { name: "odd", namespace: "home", resourceVersion: "7" } };
  const nameless = { metadata: {} };
  const reply = list("10", [object("a", "5"), { kind: "Pod", ...odd }, nameless, object("b", "6")]);
  await using reflected = paged([reply]);
  expect(await reflected.told()).toEqual([
    "undecodable home/odd 7",
    "undecodable undefined undefined",
    "replace 10 a@5 b@6",
  ]);
});

test("an item that the transform will not have is set aside", async () => {
  const transform = () => {
    throw new Error("no");
  };
  await using reflected = paged([list("10", objects(1))], { transform });
  expect(await reflected.told()).toEqual(["undecodable home/o0 5", "replace 10"]);
});

test("a list that falls silent for 70 s is broken off", async () => {
  const stream = new Stream().text('{"items":[');
  await using reflected = paged([stream]);
  await reflected.asked();
  await reflected.clock.advance(69_999);
  expect(reflected.reflector.health.phase).toBe("listing");
  await reflected.clock.advance(1);
  expect(reflected.reflector.health.phase).toBe("waiting");
  expect(stream.closed).toBe(true);
});

test("who ends when a list has come asks for no watch, and is told of no failure", async () => {
  const stream = new Stream();
  const reflected = paged([stream]);
  await reflected.asked();
  stream.text(JSON.stringify(list("10", objects(1)).body)).end();
  await reflected.end();
  expect({ asked: await reflected.asked(), errors: reflected.errors.length }).toEqual({
    asked: [],
    errors: 1,
  });
});

test("who ends in the middle of a list is told nothing", async () => {
  const stream = new Stream().text('{"items":[');
  const reflected = paged([stream]);
  await reflected.asked();
  await reflected.end();
  expect({ told: await reflected.told(), errors: reflected.errors.length }).toEqual({ told: [], errors: 1 });
});

test("a list whose pages expire again in one piece has failed, and is requested again after a while", async () => {
  const expiring = [list("10", objects(10), "c1"), expired, list("12", objects(11), "c2"), expired];
  await using reflected = paged([...expiring, list("13", [])]);
  expect(await reflected.asked()).toEqual([
    'stream ""',
    'list "" limit 500',
    "list continue c1 limit 500",
    'list ""',
    "list continue c2",
  ]);
  const { afterMs, asked } = await reflected.next();
  expect(asked).toEqual(['list "" limit 500', "watch 13"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect(reflected.errors.at(-1)).toContain("got an expired continue token twice");
});

test("a continue token that comes twice ends the list, and it is requested again after a while", async () => {
  const circle = [list("10", objects(1), "c1"), list("10", objects(1), "c2"), list("10", objects(1), "c1")];
  await using reflected = paged([...circle, list("13", [])]);
  expect(await reflected.asked()).toEqual([
    'stream ""',
    'list "" limit 500',
    "list continue c1 limit 500",
    "list continue c2 limit 500",
  ]);
  expect((await reflected.next()).afterMs).toBeGreaterThanOrEqual(800);
  expect(await reflected.told()).toEqual(["replace 13"]);
});
