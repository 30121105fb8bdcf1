import { connect, type Socket } from "node:net";
import { SelfSubjectAccessReview } from "trimtab/api/authorization/v1";
import { connect as connectClient } from "trimtab/client";
import { expect, test } from "vitest";
import { Collection } from "./collection.ts";
import { listen } from "./listen.ts";
import { podTemplate } from "./pod.ts";
import { Stub } from "./stub.ts";
import { marks } from "./template.ts";
import { websiteTemplate } from "./website.ts";

const small = { pods: 5, websites: 2 };
const pods = "/api/v1/pods";

async function getJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

/** Sends a request and reads until the connection closes. */
function exchange(address: string, target: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket: Socket = connect(Number(port), hostname);
    socket.setEncoding("latin1").on("data", (part: string) => {
      text += part;
    });
    socket.on("error", reject).on("close", () => resolve(text));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n`);
  });
}

/** Returns the HTTP chunks of a response. */
function chunksOf(reply: string): string[] {
  const chunks: string[] = [];
  for (let rest = reply.slice(reply.indexOf("\r\n\r\n") + 4); rest !== ""; ) {
    const [size = ""] = rest.split("\r\n", 1);
    const from = size.length + 2;
    chunks.push(rest.slice(from, from + Number.parseInt(size, 16)));
    rest = rest.slice(from + Number.parseInt(size, 16) + 2);
  }
  return chunks;
}

interface Event {
  readonly type: string;
  readonly object: {
    kind: string;
    metadata: { name?: string; resourceVersion: string; annotations?: object };
  };
}

/** Returns type, name and resource version of the events. */
function summary(lines: readonly string[]): string[] {
  return lines.map((line) => {
    const { type, object } = JSON.parse(line) as Event;
    return [type, object.kind, object.metadata.name, object.metadata.resourceVersion]
      .filter(Boolean)
      .join(" ");
  });
}

test("a pod has about 5.27 KB and a website about 0.88 KB, as on kube-apiserver", () => {
  const average = (collection: Collection) => collection.bytes / collection.count;

  expect(average(new Collection(podTemplate, 2000)) / 5270).toBeCloseTo(1, 1);
  expect(average(new Collection(websiteTemplate, 2000)) / 880).toBeCloseTo(1, 1);
});

test("a website owns two hundred pods of its namespace", () => {
  const site = websiteTemplate.object(7, marks) as OwnedPod;
  const ofNamespace = Array.from(
    { length: 201 },
    (_, at) => podTemplate.object(7 + 50 * at, marks) as OwnedPod,
  );
  const { namespace, name, uid } = site.metadata;
  const owned = ofNamespace.filter(
    ({
      metadata: {
        namespace: within,
        ownerReferences: [owner],
      },
    }) => {
      return within === namespace && owner?.name === name && owner.uid === uid;
    },
  );
  expect([ofNamespace.slice(0, 200).every((pod) => owned.includes(pod)), owned.length]).toEqual([true, 200]);
});

interface OwnedPod {
  readonly metadata: Record<"namespace" | "name" | "uid", string> & {
    readonly ownerReferences: readonly Record<"name" | "uid", string>[];
  };
}

test("a list in pages returns every object once, with the remaining item count", async () => {
  await using stub = await listen(new Stub(small));

  const first = await getJson(`${stub.plain}${pods}?limit=3`);
  const second = await getJson(`${stub.plain}${pods}?limit=3&continue=from-3`);

  const named = (...names: string[]) => names.map((name) => ({ metadata: { name } }));
  expect(first).toMatchObject({
    kind: "PodList",
    metadata: { resourceVersion: "1000000000", continue: "from-3", remainingItemCount: 2 },
    items: named("pod-0", "pod-1", "pod-2"),
  });
  expect(second).toMatchObject({ items: named("pod-3", "pod-4") });
  expect((second as { metadata: object }).metadata).toEqual({ resourceVersion: "1000000000" });
});

test("a list from the cache is complete, with any limit", async () => {
  await using stub = await listen(new Stub(small));

  const list = await getJson(`${stub.plain}${pods}?limit=3&resourceVersion=0`);

  expect((list as { items: unknown[] }).items).toHaveLength(5);
});

test("each event of a stream is a separate chunk, with a newer resource version and its send time", async () => {
  const state = new Stub(small);
  await using stub = await listen(state);
  state.arm({ resource: "pods", events: 6, perSecond: 0, end: true });

  const chunks = chunksOf(await exchange(stub.plain, `${pods}?watch=true&resourceVersion=7`));

  expect(summary(chunks.slice(0, -1))).toEqual([
    "MODIFIED Pod pod-0 1000000001",
    "MODIFIED Pod pod-1 1000000002",
    "MODIFIED Pod pod-2 1000000003",
    "MODIFIED Pod pod-3 1000000004",
    "MODIFIED Pod pod-4 1000000005",
    "MODIFIED Pod pod-0 1000000006",
  ]);
  expect(chunks.at(-1)).toBe("");
  expect((JSON.parse(chunks[0] ?? "") as Event).object.metadata.annotations).toMatchObject({
    "bench.trimtab.dev/sent-us": expect.stringMatching(/^[1-9]\d{15}$/),
  });
});

test("a paced stream sends the same events", async () => {
  const state = new Stub(small);
  await using stub = await listen(state);
  state.arm({ resource: "websites", events: 3, perSecond: 200, end: true });

  const reply = await exchange(stub.plain, "/apis/bench.trimtab.dev/v1/websites?watch=1&resourceVersion=7");

  expect(summary(chunksOf(reply).slice(0, -1))).toEqual([
    "MODIFIED Website website-0 1000000001",
    "MODIFIED Website website-1 1000000002",
    "MODIFIED Website website-0 1000000003",
  ]);
});

test("a watch with initial events starts with all objects and the bookmark that ends them", async () => {
  const state = new Stub(small);
  await using stub = await listen(state);
  state.arm({ resource: "websites", events: 1, perSecond: 0, end: true });
  const query =
    "watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";

  const chunks = chunksOf(await exchange(stub.plain, `/apis/bench.trimtab.dev/v1/websites?${query}`));

  expect(summary(chunks.slice(0, -1))).toEqual([
    "ADDED Website website-0 1000000000",
    "ADDED Website website-1 1000000000",
    "BOOKMARK Website 1000000000",
    "MODIFIED Website website-0 1000000001",
  ]);
  expect((JSON.parse(chunks[2] ?? "") as Event).object.metadata.annotations).toEqual({
    "k8s.io/initial-events-end": "true",
  });
});

test("a long stream has a bookmark every five thousand events, if allowed", async () => {
  const state = new Stub(small);
  await using stub = await listen(state);
  state.arm({ resource: "websites", events: 10_001, perSecond: 0, end: true });
  const target = "/apis/bench.trimtab.dev/v1/websites?watch=true&resourceVersion=7&allowWatchBookmarks=true";

  const events = summary(chunksOf(await exchange(stub.plain, target)).slice(0, -1));

  expect(events).toHaveLength(10_003);
  expect(events.filter((event) => event.startsWith("BOOKMARK"))).toEqual([
    "BOOKMARK Website 1000005000",
    "BOOKMARK Website 1000010000",
  ]);
});

test("a stream for when=watched goes to the open watch, or else to the next", async () => {
  const state = new Stub(small);
  await using stub = await listen(state);
  state.startOrArm({ resource: "websites", events: 1, perSecond: 0, end: true });
  const target = "/apis/bench.trimtab.dev/v1/websites?watch=true&resourceVersion=7";

  const later = summary(chunksOf(await exchange(stub.plain, target)).slice(0, -1));
  const reply = await fetch(`${stub.plain}${target}`);
  state.startOrArm({ resource: "websites", events: 1, perSecond: 0, end: true });
  const open = summary((await reply.text()).trimEnd().split("\n"));

  expect([later, open]).toEqual([
    ["MODIFIED Website website-0 1000000001"],
    ["MODIFIED Website website-0 1000000002"],
  ]);
});

test("objects are the same after their number changed", async () => {
  const state = new Stub(small);
  await using stub = await listen(state);
  const names = async () =>
    ((await getJson(`${stub.plain}${pods}`)) as { items: Event["object"][] }).items.map(
      (pod) => pod.metadata.name,
    );

  state.resize("pods", 2);
  expect(await names()).toEqual(["pod-0", "pod-1"]);
  state.resize("pods", 6);
  expect(await names()).toEqual(["pod-0", "pod-1", "pod-2", "pod-3", "pod-4", "pod-5"]);
});

test("a patch of the status returns the whole pod with a new resource version", async () => {
  await using stub = await listen(new Stub(small));
  const url = `${stub.plain}/api/v1/namespaces/ns-2/pods/pod-2`;

  const patched = await (await fetch(`${url}/status`, { method: "PATCH", body: "{}" })).json();
  const read = await getJson(url);

  expect(patched).toMatchObject({ kind: "Pod", metadata: { name: "pod-2", resourceVersion: "1000000001" } });
  expect(read).toMatchObject({ kind: "Pod", metadata: { name: "pod-2", resourceVersion: "1000000000" } });
});

test("an absent object is a Status with code 404", async () => {
  await using stub = await listen(new Stub(small));

  const response = await fetch(`${stub.plain}/api/v1/namespaces/ns-1/pods/pod-2`);

  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ kind: "Status", reason: "NotFound", code: 404 });
});

test("startup checks find all kinds and permissions", async () => {
  await using stub = await listen(new Stub(small));
  await using client = await connectClient({ server: stub.plain });

  const { kinds } = await client.discover();
  const spec = { resourceAttributes: { resource: "pods", verb: "watch" } };
  const review = await client.create(SelfSubjectAccessReview, { metadata: {}, spec });

  expect(
    kinds.map(({ kind, subresources }) => [kind.group, kind.version, kind.plural, subresources]),
  ).toEqual([
    ["", "v1", "pods", ["status"]],
    ["bench.trimtab.dev", "v1", "websites", ["status"]],
  ]);
  expect(review.status).toEqual({ allowed: true });
});

test("stats count connections and requests of clients, and not those to /ctl/", async () => {
  await using stub = await listen(new Stub(small));

  await getJson(`${stub.plain}/ctl/stats`);
  await exchange(stub.plain, pods);
  await exchange(stub.plain, `${pods}?limit=1`);

  expect(await getJson(`${stub.plain}/ctl/size?pods=7`)).toMatchObject({
    connections: 2,
    requests: 2,
    resources: { pods: { count: 7, watches: 0 }, websites: { count: 2, watches: 0 } },
  });
});
