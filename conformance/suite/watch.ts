import type { KubeObject } from "trimtab/api";
import { ConfigMap, Pod } from "trimtab/api/core/v1";
import { type Client, isExpired, type WatchEvent } from "trimtab/client";
import { changed } from "../expected-event.ts";
import { firstOf } from "../first-of.ts";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { widgets } from "../widgets.ts";

/** Summarises an event: type, name and data. */
function brief(event: WatchEvent<ConfigMap>): string {
  if (event.type === "bookmark") return "bookmark";
  const { metadata, data } = event.object;
  return [event.type, metadata.name, ...Object.values(data ?? {})].join(" ");
}

function versionOf(event: WatchEvent<KubeObject> | undefined): string | undefined {
  return event?.type === "bookmark" ? event.resourceVersion : event?.object.metadata.resourceVersion;
}

/** Returns a resource version from which a watch sees all later changes of the scenario. */
async function now(client: Client): Promise<string> {
  const [page] = await firstOf(1, client.pages(ConfigMap));
  return page?.resourceVersion ?? "";
}

async function set(client: Client, name: string, value: string): Promise<void> {
  await client.patch(ConfigMap, name, { merge: { data: { value } } });
}

scenario("a watch sends existing objects, then changes, in order", async ({ client, signal, expect }) => {
  for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name }, data: { value: "1" } });
  const events: string[] = [];
  const steps = [
    () => set(client, "b", "2"),
    () => client.delete(ConfigMap, "a"),
    () => client.create(ConfigMap, { metadata: { name: "c" } }),
  ];
  for await (const event of client.watch(ConfigMap, { signal })) {
    events.push(brief(event));
    if (events.length < 2) continue;
    const step = steps.shift();
    if (!step) break;
    await step();
  }
  expect(events).toEqual(["added a 1", "added b 1", "modified b 2", "deleted a 1", "added c"]);
});

scenario("events contain complete objects, as from a get", async ({ client, signal, expect }) => {
  const resourceVersion = await now(client);
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { value: "1" } });
  const updated = await client.update(ConfigMap, { ...created, data: { value: "2" } });
  const events = await firstOf(2, client.watch(ConfigMap, { resourceVersion, signal }));
  expect(events).toEqual([changed("added", created), changed("modified", updated)]);
});

scenario(
  "a delete event has the last state with a new resourceVersion",
  async ({ client, signal, expect }) => {
    const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { value: "1" } });
    const { resourceVersion } = created.metadata;
    await client.delete(ConfigMap, "a");
    const [event] = await firstOf(1, client.watch(ConfigMap, { resourceVersion, signal }));
    expect(masked(event)).toEqual(masked(changed("deleted", created)));
    expect(Number(versionOf(event))).toBeGreaterThan(Number(resourceVersion));
  },
);

scenario("a watch from an event's resourceVersion sends later events", async ({ client, signal, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const { resourceVersion } = metadata;
  for (const value of ["1", "2", "3"]) await set(client, "a", value);
  const events = await firstOf(3, client.watch(ConfigMap, { resourceVersion, signal }));
  expect(events.map(brief)).toEqual(["modified a 1", "modified a 2", "modified a 3"]);
  const middle = versionOf(events[1]);
  const later = await firstOf(1, client.watch(ConfigMap, { resourceVersion: middle, signal }));
  expect(later).toEqual(events.slice(2));
});

scenario(
  "objects that enter or leave a selection are added and deleted",
  async ({ client, signal, expect }) => {
    const resourceVersion = await now(client);
    const label = (app: string | null) =>
      client.patch(ConfigMap, "a", {
        merge: { metadata: { labels: { app } }, data: { value: app ?? "none" } },
      });
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const entered = await label("web");
    const left = await label("other");
    await label("web");
    await client.create(ConfigMap, { metadata: { name: "b" } });
    await client.delete(ConfigMap, "a");
    const events = await firstOf(
      4,
      client.watch(ConfigMap, { resourceVersion, labels: { app: "web" }, signal }),
    );
    expect(events.map(brief)).toEqual(["added a web", "deleted a web", "added a web", "deleted a web"]);
    const [, deleted] = events;
    expect(masked(deleted)).toEqual(masked(changed("deleted", entered)));
    expect(versionOf(deleted)).toBe(left.metadata.resourceVersion);
  },
);

scenario("a watch of one name sends only that object", async ({ client, signal, expect }) => {
  const resourceVersion = await now(client);
  for (const name of ["a", "b", "c"]) await client.create(ConfigMap, { metadata: { name } });
  await client.delete(ConfigMap, "b");
  const fields = { "metadata.name": "b" };
  const events = await firstOf(2, client.watch(ConfigMap, { resourceVersion, fields, signal }));
  expect(events.map(brief)).toEqual(["added b", "deleted b"]);
});

scenario("Pods enter and leave a selection by their fields", async ({ client, signal, expect }) => {
  const spec = { schedulerName: "none", containers: [{ name: "main", image: "none" }] };
  const { metadata } = await client.create(Pod, { metadata: { name: "a" }, spec });
  const running = client.watch(Pod, {
    resourceVersion: metadata.resourceVersion,
    fields: { "status.phase": "Running" },
    signal,
  });
  for (const phase of ["Running", "Succeeded"] as const) await client.applyStatus(Pod, "a", { phase });
  const events = await firstOf(2, running);
  expect(events.map(({ type }) => type)).toEqual(["added", "deleted"]);
});

scenario(
  "a watch across namespaces sends events of each",
  async ({ client, namespace, cluster, signal, expect }) => {
    const labels = { scenario: namespace };
    const resourceVersion = await now(client);
    await client.create(ConfigMap, { metadata: { name: "a", labels } });
    const [event] = await firstOf(1, cluster.client.watch(ConfigMap, { resourceVersion, labels, signal }));
    expect(event && brief(event)).toBe("added a");
  },
);

scenario("a write that changes nothing is no event", async ({ client, signal, expect }) => {
  const resourceVersion = await now(client);
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { value: "1" } });
  await client.update(ConfigMap, created);
  await set(client, "a", "1");
  await set(client, "a", "2");
  const events = await firstOf(2, client.watch(ConfigMap, { resourceVersion, signal }));
  expect(events.map(brief)).toEqual(["added a 1", "modified a 2"]);
});

scenario(
  "a delete that waits is a modification, and removing the last finalizer is the delete event",
  async ({ client, signal, expect }) => {
    const resourceVersion = await now(client);
    await client.create(ConfigMap, { metadata: { name: "a", finalizers: ["example.dev/keep"] } });
    await client.delete(ConfigMap, "a");
    await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
    const events = await firstOf(3, client.watch(ConfigMap, { resourceVersion, signal }));
    const shown = events.map((event) => {
      if (event.type === "bookmark") return "bookmark";
      const { deletionTimestamp, finalizers } = event.object.metadata;
      return { type: event.type, deleted: deletionTimestamp !== undefined, finalizers };
    });
    expect(shown).toEqual([
      { type: "added", deleted: false, finalizers: ["example.dev/keep"] },
      { type: "modified", deleted: true, finalizers: ["example.dev/keep"] },
      { type: "deleted", deleted: true, finalizers: ["example.dev/keep"] },
    ]);
  },
);

scenario("a watch from before its kind was served has expired", async (stage) => {
  const { client, signal, expect } = stage;
  await using defined = await widgets(stage);
  const error = await firstOf(1, client.watch(defined.Widget, { resourceVersion: "1", signal })).catch(
    (thrown: unknown) => thrown,
  );
  expect(isExpired(error)).toBe(true);
});

/** Returns the raw events of a watch that ends by itself. */
async function rawEvents(client: Client, path: string): Promise<unknown[]> {
  const { body } = await client.transport.send({ method: "GET", path });
  const lines = body.toString().split("\n").filter(Boolean);
  return lines.map((line) => masked(JSON.parse(line)));
}

scenario("an expired watch sends one ERROR event", async (stage) => {
  const { client, namespace, expect } = stage;
  await using defined = await widgets(stage);
  const path = `/apis/${defined.group}/v1/namespaces/${namespace}/widgets`;
  const events = await rawEvents(client, `${path}?watch=1&resourceVersion=1&timeoutSeconds=5`);
  expect(events).toEqual([
    {
      type: "ERROR",
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
        reason: "Expired",
        code: 410,
      },
    },
  ]);
});

scenario(
  "a watch sends a bookmark with its resourceVersion before it ends",
  async ({ client, namespace, expect }) => {
    const resourceVersion = await now(client);
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=${resourceVersion}`;
    const events = await rawEvents(client, `/api/v1/namespaces/${namespace}/configmaps?${query}`);
    expect(events.slice(0, 2)).toEqual([
      {
        type: "ADDED",
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: {
            name: "a",
            namespace,
            uid: "<uid>",
            resourceVersion: "<version>",
            creationTimestamp: "<time>",
          },
        },
      },
      {
        type: "BOOKMARK",
        object: { kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion: "<version>" } },
      },
    ]);
  },
);

scenario(
  "a watch can start with the initial events, and a bookmark marks their end",
  async ({ client, namespace, expect }) => {
    for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name } });
    const query =
      "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1";
    const events = await rawEvents(client, `/api/v1/namespaces/${namespace}/configmaps?${query}`);
    expect(events.slice(0, 3)).toEqual([
      {
        type: "ADDED",
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: {
            name: "a",
            namespace,
            uid: "<uid>",
            resourceVersion: "<version>",
            creationTimestamp: "<time>",
          },
        },
      },
      {
        type: "ADDED",
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: {
            name: "b",
            namespace,
            uid: "<uid>",
            resourceVersion: "<version>",
            creationTimestamp: "<time>",
          },
        },
      },
      {
        type: "BOOKMARK",
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: { resourceVersion: "<version>", annotations: { "k8s.io/initial-events-end": "true" } },
        },
      },
    ]);
  },
);

scenario("a watch with initial events needs resourceVersionMatch", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps?watch=1&sendInitialEvents=true`;
  const { status, body } = await client.transport.send({ method: "GET", path });
  expect({ status, body: JSON.parse(body.toString()) }).toEqual({
    status: 422,
    body: {
      status: "Failure",
      code: 422,
      reason: "Invalid",
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      details: {
        kind: "ListOptions",
        group: "meta.k8s.io",
        causes: [
          {
            reason: "FieldValueForbidden",
            message: "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
            field: "resourceVersionMatch",
          },
        ],
      },
    },
  });
});

scenario(
  "a watch without a resourceVersion starts with existing objects",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const path = `/api/v1/namespaces/${namespace}/configmaps?watch=1&timeoutSeconds=1`;
    expect(await rawEvents(client, path)).toEqual([
      {
        type: "ADDED",
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: {
            name: "a",
            namespace,
            uid: "<uid>",
            resourceVersion: "<version>",
            creationTimestamp: "<time>",
          },
        },
      },
    ]);
  },
);

scenario("a resourceVersion that is not a number is refused", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps?watch=1&resourceVersion=new`;
  const { status, body } = await client.transport.send({ method: "GET", path });
  expect({ status, body: JSON.parse(body.toString()) }).toEqual({
    status: 500,
    body: {
      status: "Failure",
      code: 500,
      message: 'resourceVersion: Invalid value: "new": strconv.ParseUint: parsing "new": invalid syntax',
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario("leaving the loop ends a watch", async ({ client, signal, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  for (let round = 0; round < 20; round++) {
    const [event] = await firstOf(1, client.watch(ConfigMap, { signal }));
    expect(event && brief(event)).toBe("added a");
  }
});

scenario("an aborted watch rejects with the reason", async ({ client, expect }) => {
  const reason = new Error("enough");
  const abort = new AbortController();
  const resourceVersion = await now(client);
  const watching = firstOf(2, client.watch(ConfigMap, { resourceVersion, signal: abort.signal }));
  await client.create(ConfigMap, { metadata: { name: "a" } });
  abort.abort(reason);
  await expect(watching).rejects.toBe(reason);
});

scenario("events have no managedFields by default", async ({ client, signal, expect }) => {
  const resourceVersion = await now(client);
  const object = await client.create(ConfigMap, { metadata: { name: "a" }, data: { value: "1" } });
  const events = client.watch(ConfigMap, { resourceVersion, signal, managedFields: true });
  expect(await firstOf(1, events)).toEqual([{ ...changed("added", object), object }]);
});
