import { ConfigMap } from "trimtab/api/core/v1";
import { scenario } from "../scenario.ts";
import { streamed } from "../streamed.ts";
import { statusMessage, wire } from "../wire.ts";

const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

interface Shown {
  readonly kind: string;
  readonly metadata: ConfigMap["metadata"];
  readonly columnDefinitions: unknown[] | null;
  readonly rows: Array<{ readonly cells: unknown[]; readonly object: Shown | null }>;
}

function watchIn(namespace: string, query: string): `/${string}` {
  return `/api/v1/namespaces/${namespace}/configmaps?watch=1&timeoutSeconds=1&${query}`;
}

scenario("each event is one line with the complete object", async ({ client, namespace, expect }) => {
  const { metadata, data } = await client.create(ConfigMap, { metadata: { name: "a" }, data: { k: "v" } });
  const { headers, text } = await wire(client, `GET ${watchIn(namespace, "")}`);
  expect(headers["content-type"]).toBe("application/json");
  expect(text.endsWith("}}\n")).toBe(true);
  expect(JSON.parse(text)).toEqual({
    type: "ADDED",
    object: { kind: "ConfigMap", apiVersion: "v1", metadata, data },
  });
});

scenario("a watch can be requested in several ways", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  await client.create(ConfigMap, { metadata: { name: "a" } });
  for (const query of ["watch=1", "watch=true", "watch", "watch=1&timeout=7m46s"]) {
    const events = await streamed(client, `${path}?${query}&timeoutSeconds=1`);
    expect([query, events.map(({ type }) => type)]).toEqual([query, ["ADDED"]]);
  }
  const listed = (await wire(client, `GET ${path}?watch=false`)).body as { kind: string };
  expect(listed.kind).toBe("ConfigMapList");
});

scenario("a watch with a stream content type is JSON", async ({ client, namespace, expect }) => {
  const headers = { accept: "application/json;stream=watch" };
  const response = await wire(client, `GET ${watchIn(namespace, "")}`, { headers });
  expect([response.status, response.headers["content-type"]]).toEqual([200, "application/json"]);
});

scenario(
  "a metadata-only watch has metadata only, also in bookmarks",
  async ({ client, namespace, expect }) => {
    const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" }, data: { k: "v" } });
    const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const [added, end] = await streamed(client, watchIn(namespace, query), partial);
    const kind = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };
    expect(added).toEqual({ type: "ADDED", object: { ...kind, metadata } });
    expect(end).toEqual({
      type: "BOOKMARK",
      object: {
        ...kind,
        metadata: {
          resourceVersion: expect.stringMatching(/^\d+$/),
          annotations: { "k8s.io/initial-events-end": "true" },
        },
      },
    });
  },
);

scenario(
  "events of a table watch have one row each, and columns in the first",
  async ({ client, namespace, expect }) => {
    const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" }, data: { k: "v" } });
    await client.create(ConfigMap, { metadata: { name: "b" } });
    const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    // More bookmarks may follow.
    const events = (await streamed(client, watchIn(namespace, query), table)).slice(0, 3);
    const tables = events.map(({ object }) => object as Shown);
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "ADDED", "BOOKMARK"]);
    expect(tables.map(({ kind }) => kind)).toEqual(["Table", "Table", "Table"]);
    expect(tables.map(({ columnDefinitions }) => columnDefinitions?.length)).toEqual([
      3,
      undefined,
      undefined,
    ]);
    const [first, , end] = tables;
    expect(first?.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(first?.rows).toEqual([
      {
        cells: ["a", 1, expect.stringMatching(/^\d+s$/)],
        object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata },
      },
    ]);
    expect(end?.rows.map(({ cells }) => cells)).toEqual([["", 0, "<unknown>"]]);
    expect(end?.rows[0]?.object?.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  },
);

scenario(
  "rows of watched tables contain the object, its metadata, or nothing",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const kinds = [];
    for (const include of ["Metadata", "Object", "None"]) {
      const [event] = await streamed(client, watchIn(namespace, `includeObject=${include}`), table);
      const shown = event?.object as Shown | undefined;
      kinds.push(shown?.rows[0]?.object?.kind);
    }
    expect(kinds).toEqual(["PartialObjectMetadata", "ConfigMap", undefined]);
  },
);

scenario("objects enter and leave a selection in tables, too", async ({ client, namespace, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.patch(ConfigMap, "a", { merge: { metadata: { labels: { x: "y" } } } });
  const left = await client.patch(ConfigMap, "a", { merge: { metadata: { labels: { x: null } } } });
  const query = `labelSelector=x&resourceVersion=${metadata.resourceVersion}`;
  const events = await streamed(client, watchIn(namespace, query), table);
  expect(events.map(({ type }) => type)).toEqual(["ADDED", "DELETED"]);
  const gone = events[1]?.object as Shown;
  expect(gone.metadata.resourceVersion).toBe(left.metadata.resourceVersion);
  expect(gone.rows[0]?.object?.metadata.labels).toEqual({ x: "y" });
});

scenario(
  "an object that leaves a selection is sent as before, with the resourceVersion of the change",
  async ({ client, namespace, expect }) => {
    const { metadata } = await client.create(ConfigMap, { metadata: { name: "a", labels: { x: "y" } } });
    const now = await client.patch(ConfigMap, "a", { merge: { metadata: { labels: { x: "z" } } } });
    const query = `labelSelector=x%3Dy&resourceVersion=${metadata.resourceVersion}`;
    const [event] = await streamed(client, watchIn(namespace, query));
    const gone = event?.object as ConfigMap | undefined;
    const { labels, resourceVersion } = gone?.metadata ?? {};
    expect([event?.type, labels, resourceVersion]).toEqual([
      "DELETED",
      { x: "y" },
      now.metadata.resourceVersion,
    ]);
  },
);

scenario(
  "a watch with bookmarks and without a resourceVersion marks the end of the initial events",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    for (const query of ["allowWatchBookmarks=true", "allowWatchBookmarks=true&resourceVersion=0"]) {
      const events = await streamed(client, watchIn(namespace, query));
      const end = events[1]?.object as ConfigMap | undefined;
      expect([events.map(({ type }) => type).slice(0, 2), end?.metadata.annotations]).toEqual([
        ["ADDED", "BOOKMARK"],
        { "k8s.io/initial-events-end": "true" },
      ]);
    }
  },
);

scenario(
  "a watch with sendInitialEvents=false starts with new events",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const query = "sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
    expect(await streamed(client, watchIn(namespace, query))).toEqual([]);
  },
);

scenario(
  "a watch from a future resourceVersion has no initial events",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    expect(await streamed(client, watchIn(namespace, "resourceVersion=999999999"))).toEqual([]);
  },
);

scenario("initial events of a future resourceVersion time out", async ({ client, namespace, expect }) => {
  const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999999";
  const path = watchIn(namespace, query).replace("timeoutSeconds=1", "timeoutSeconds=10") as "/";
  const [event, ...more] = await streamed(client, path);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: "ERROR", object: { kind: "Status", reason: "Timeout", code: 504 } });
});

scenario("options for the start of a watch exclude each other", async ({ client, namespace, expect }) => {
  const messageOf = async (query: string) =>
    statusMessage(await wire(client, `GET ${watchIn(namespace, query)}`));
  const head = 'ListOptions.meta.k8s.io "" is invalid:';
  expect(await messageOf("sendInitialEvents=true")).toEqual([
    422,
    `${head} resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
  ]);
  expect(await messageOf("sendInitialEvents=true&resourceVersionMatch=Exact")).toEqual([
    422,
    `${head} [resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]`,
  ]);
  expect(await messageOf("resourceVersionMatch=NotOlderThan")).toEqual([
    422,
    `${head} resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
  ]);
});

scenario("every write is a separate event, in order", async ({ client, namespace, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  for (const n of ["1", "2", "3"]) await client.patch(ConfigMap, "a", { merge: { data: { n } } });
  await client.delete(ConfigMap, "a");
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { n: "4" } });
  const events = await streamed(client, watchIn(namespace, `resourceVersion=${metadata.resourceVersion}`));
  const summaries = events.map(({ type, object }) => [type, (object as ConfigMap).data?.n]);
  expect(summaries).toEqual([
    ["MODIFIED", "1"],
    ["MODIFIED", "2"],
    ["MODIFIED", "3"],
    ["DELETED", "3"],
    ["ADDED", "4"],
  ]);
  const versions = events.map(({ object }) => Number((object as ConfigMap).metadata.resourceVersion));
  expect(versions).toEqual([...versions].sort((one, other) => one - other));
});

scenario("a watch on an object's path is limited to that object", async ({ client, namespace, expect }) => {
  for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name } });
  const path = `/api/v1/watch/namespaces/${namespace}/configmaps/a?timeoutSeconds=1` as const;
  const events = await streamed(client, path);
  expect(events.map(({ object }) => (object as ConfigMap).metadata.name)).toEqual(["a"]);
});
