import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { settled, VirtualClock } from "../base/index.ts";
import type { Transport } from "../transport/index.ts";
import { connected } from "./connected.fixture.ts";
import { ConnectionError, clientOver, isExpired, type ListProgress } from "./index.ts";
import { type Reply, refused, ScriptedTransport } from "./scripted-transport.fixture.ts";

const item = (name: string) => ({ metadata: { name } });
const named = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });

function page(
  names: readonly string[],
  more: { readonly next?: string; readonly remaining?: number } = {},
): Reply {
  const { next, remaining } = more;
  const metadata = { resourceVersion: "50", continue: next, remainingItemCount: remaining };
  return { body: { kind: "ConfigMapList", apiVersion: "v1", metadata, items: names.map(item) } };
}

const expired = refused(410, "Expired");
const where = "GET /api/v1/configmaps";

test("each page is requested with the previous token, and only the first with the resource version", async () => {
  const { client, transport } = connected(
    page(["a", "b"], { next: "t/1", remaining: 3 }),
    page(["c", "d"], { next: "t2", remaining: 1 }),
    page(["e"]),
  );
  const options = {
    pageSize: 2,
    resourceVersion: "40",
    resourceVersionMatch: "NotOlderThan",
    labels: "x",
  } as const;
  const objects = await client.list(ConfigMap, options);
  expect(objects).toEqual(["a", "b", "c", "d", "e"].map(named));
  expect(transport.lines).toEqual([
    `${where}?labelSelector=x&limit=2&resourceVersion=40&resourceVersionMatch=NotOlderThan`,
    `${where}?labelSelector=x&limit=2&continue=t%2F1`,
    `${where}?labelSelector=x&limit=2&continue=t2`,
  ]);
});

test("pages and lists are compressible, watches and single objects are not", async () => {
  const { client, transport } = connected(page(["a"], { next: "t" }), page(["b"]), page(["c"]), {});
  await client.list(ConfigMap);
  await client.list(ConfigMap, { managedFields: true });
  await client.get(ConfigMap, "d");
  expect(transport.requests.map(({ compressible }) => compressible)).toEqual([true, true, true, undefined]);
  const collection = await client.collection(ConfigMap);
  expect(collection.listRequest({}).compressible).toBe(true);
  expect(collection.watchRequest({}).compressible).toBeUndefined();
});

test("pages have the resource version and the remaining count, and are requested on demand", async () => {
  const { client, transport } = connected(page(["a"], { next: "t", remaining: 1 }), page(["b"]));
  const pages = client.pages(ConfigMap)[Symbol.asyncIterator]();
  expect((await pages.next()).value).toEqual({ items: [named("a")], remaining: 1, resourceVersion: "50" });
  expect(transport.lines).toHaveLength(1);
  expect((await pages.next()).value).toEqual({ items: [named("b")], remaining: 0, resourceVersion: "50" });
  expect(await pages.next()).toEqual({ done: true, value: undefined });
});

test("the remaining count is undefined if the server does not send it", async () => {
  const { client } = connected(page(["a"], { next: "t" }), page(["b"]));
  const left: unknown[] = [];
  for await (const { remaining } of client.pages(ConfigMap, { labels: "x" })) left.push(remaining);
  expect(left).toEqual([undefined, 0]);
});

test("onProgress is called after each page", async () => {
  const { client } = connected(page(["a", "b"], { next: "t", remaining: 1 }), page(["c"]));
  const progress: ListProgress[] = [];
  await client.list(ConfigMap, { onProgress: (step) => progress.push(step) });
  expect(progress).toEqual([
    { loaded: 2, remaining: 1 },
    { loaded: 3, remaining: 0 },
  ]);
});

test("a list that expires is requested again as a single page, with the original resource version", async () => {
  const { client, transport } = connected(
    page(["a"], { next: "t", remaining: 1 }),
    expired,
    page(["a", "b"]),
  );
  const progress: ListProgress[] = [];
  const onProgress = (step: ListProgress): number => progress.push(step);
  const objects = await client.list(ConfigMap, {
    pageSize: 1,
    resourceVersion: "40",
    labels: "x",
    onProgress,
  });
  expect(objects).toEqual([named("a"), named("b")]);
  expect(transport.lines).toEqual([
    `${where}?labelSelector=x&limit=1&resourceVersion=40`,
    `${where}?labelSelector=x&limit=1&continue=t`,
    `${where}?labelSelector=x&resourceVersion=40`,
  ]);
  expect(progress).toEqual([
    { loaded: 1, remaining: 1 },
    { loaded: 2, remaining: 0 },
  ]);
});

test("a list whose first page has expired is an error", async () => {
  const { client, transport } = connected(expired);
  await expect(client.list(ConfigMap)).rejects.toSatisfy(isExpired);
  expect(transport.lines).toHaveLength(1);
});

test.each([
  ["no objects", []],
  ["one page that is not full", ["a"]],
  ["one page that is full", ["a", "b"]],
])("a list of %s is one request", async (_, names) => {
  const { client, transport } = connected(page(names));
  expect(await client.list(ConfigMap, { pageSize: 2 })).toEqual(names.map(named));
  expect(transport.lines).toEqual([`${where}?limit=2`]);
});

test("the default page size is 500", async () => {
  const { client, transport } = connected(page(["a"], { next: "t" }), page(["b"]));
  await client.list(ConfigMap);
  expect(transport.lines).toEqual([`${where}?limit=500`, `${where}?limit=500&continue=t`]);
});

test("a list that expires after an empty first page is requested again as a single page, too", async () => {
  const { client, transport } = connected(page([], { next: "t" }), expired, page(["a"]));
  const objects = await client.list(ConfigMap, {
    pageSize: 1,
    resourceVersion: "40",
    resourceVersionMatch: "NotOlderThan",
  });
  expect(objects).toEqual([named("a")]);
  expect(transport.lines.at(-1)).toBe(`${where}?resourceVersion=40&resourceVersionMatch=NotOlderThan`);
});

test("a list that expires again as a single page is an error", async () => {
  const { client, transport } = connected(page(["a"], { next: "t" }), expired, expired);
  await expect(client.list(ConfigMap)).rejects.toSatisfy(isExpired);
  expect(transport.lines).toHaveLength(3);
});

test("any other error of a later page is an error", async () => {
  const { client } = connected(page(["a"], { next: "t" }), refused(500, "InternalError"));
  await expect(client.list(ConfigMap)).rejects.toMatchObject({ code: 500 });
});

test("pages that expire deliver the pages so far, then the error", async () => {
  const { client } = connected(page(["a"], { next: "t" }), expired);
  const seen: string[] = [];
  const loop = async (): Promise<void> => {
    for await (const { items } of client.pages(ConfigMap))
      seen.push(...items.map(({ metadata }) => metadata.name));
  };
  await expect(loop()).rejects.toSatisfy(isExpired);
  expect(seen).toEqual(["a"]);
});

test("an aborted list rejects with the reason after the current page", async () => {
  const { client, transport } = connected(page(["a"], { next: "t" }), page(["b"]));
  const abort = new AbortController();
  const reason = new Error("enough");
  const onProgress = (): void => abort.abort(reason);
  await expect(client.list(ConfigMap, { signal: abort.signal, onProgress })).rejects.toBe(reason);
  expect(transport.lines).toHaveLength(1);
});

test("aborted pages reject with the reason, and no further page is requested", async () => {
  const { client, transport } = connected(page(["a"], { next: "t" }), page(["b"]));
  const abort = new AbortController();
  const reason = new Error("enough");
  const seen: string[] = [];
  const loop = async (): Promise<void> => {
    for await (const { items } of client.pages(ConfigMap, { signal: abort.signal })) {
      seen.push(...items.map(({ metadata }) => metadata.name));
      abort.abort(reason);
    }
  };
  await expect(loop()).rejects.toBe(reason);
  expect({ seen, requests: transport.lines.length }).toEqual({ seen: ["a"], requests: 1 });
});

test("after an error of onProgress, no further page is requested", async () => {
  const { client, transport } = connected(page(["a"], { next: "t" }), page(["b"]));
  const failure = new Error("no");
  const loop = async (): Promise<void> => {
    for await (const { items } of client.pages(ConfigMap)) if (items.length > 0) throw failure;
  };
  await expect(loop()).rejects.toBe(failure);
  expect(transport.lines).toHaveLength(1);
});

test("items with a kind keep it", async () => {
  const odd = { apiVersion: "v2", kind: "Other", metadata: { name: "a" } };
  const { client } = connected({ body: { metadata: {}, items: [odd] } });
  expect(await client.list(ConfigMap)).toEqual([odd]);
});

const owned = { name: "a", managedFields: [{ manager: "x", fieldsV1: { "f:data": {} } }], uid: "u" };
const spoken = (items: readonly object[], indent = 0): Reply => ({
  body: JSON.stringify({ metadata: { resourceVersion: "5" }, items }, null, indent),
});

test.each([
  ["as servers write them", 0],
  ["in any other form", 2],
])("managedFields are removed from lists %s", async (_, indent) => {
  const nested = { metadata: { managedFields: ["kept"] } };
  const { client } = connected(spoken([{ metadata: owned, data: { nested } }], indent));
  expect(await client.list(ConfigMap)).toEqual([
    { ...named("a"), metadata: { name: "a", uid: "u" }, data: { nested } },
  ]);
});

test("a list is parsed as it arrives, and from the start again after a retry", async () => {
  const text = JSON.stringify({
    metadata: { resourceVersion: "5" },
    items: [item("a"), { metadata: owned }],
  });
  const tries: string[] = [];
  const scripted = new ScriptedTransport();
  const transport: Transport = {
    server: scripted.server,
    open: (request) => scripted.open(request),
    close: () => scripted.close(),
    async send(request) {
      const reader = request.reader?.();
      const half = tries.push(request.path) === 1 ? text.length - 20 : text.length;
      for (let at = 0; at < half; at += 7) reader?.push(Buffer.from(text.slice(at, Math.min(at + 7, half))));
      if (half < text.length) throw new ConnectionError("broken off", { code: "ECONNRESET", request });
      return { status: 200, headers: {}, body: Buffer.alloc(0), bodyBytes: text.length };
    },
  };
  const client = clientOver(transport, { namespace: "home" });
  expect(await client.list(ConfigMap)).toEqual([
    named("a"),
    { ...named("a"), metadata: { name: "a", uid: "u" } },
  ]);
  expect(tries).toHaveLength(2);
});

test("lists have managedFields if requested", async () => {
  const { client } = connected(spoken([{ metadata: owned }]));
  expect(await client.list(ConfigMap, { managedFields: true })).toEqual([{ ...named("a"), metadata: owned }]);
});

test.each([
  [
    "invalid JSON",
    '{"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a"},}]}',
    'expected a list from GET /api/v1/configmaps?limit=500, got "{\\"metadata\\":{\\"name\\":\\"a\\"},}]}"; is that address a Kubernetes API server?',
  ],
  [
    "a truncated list",
    '{"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a"}}',
    "expected more from GET /api/v1/configmaps?limit=500, got an end in the middle of a list",
  ],
  [
    "an object that is no list",
    '{"kind":"ConfigMap","metadata":{"name":"a"}}',
    "expected a list from GET /api/v1/configmaps?limit=500, got a ConfigMap",
  ],
  ["nothing", "", "expected more from GET /api/v1/configmaps?limit=500, got an end in the middle of a list"],
])("a response of %s is an error that names the request", async (_, body, message) => {
  const { client } = connected({ body });
  await expect(client.list(ConfigMap)).rejects.toThrow(message);
});

test("a repeated continue token is an error", async () => {
  const { client, transport } = connected(...[1, 2, 3, 4, 5].map(() => page(["a"], { next: "t" })));
  await expect(client.list(ConfigMap)).rejects.toThrow(
    "expected a new continue token from GET /api/v1/configmaps, got a repeated one",
  );
  expect(transport.lines.length).toBeLessThanOrEqual(3);
});

test("after an empty page the next one is requested a quarter of a second later", async () => {
  const clock = new VirtualClock();
  const transport = new ScriptedTransport(page([], { next: "t1" }), page([], { next: "t2" }), page(["a"]));
  const client = clientOver(transport, { namespace: "home", clock });
  const listed = client.list(ConfigMap);
  await clock.advance(499);
  expect(await stateOf(listed)).toBe("pending");
  await clock.advance(1);
  expect(await listed).toEqual([named("a")]);
});

/** Returns the state of a promise after all pending microtasks. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  return Promise.race([promise.then(() => "resolved"), settled().then(() => "pending")]);
}
