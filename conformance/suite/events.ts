import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

const core = (namespace: string): `/${string}` => `/api/v1/namespaces/${namespace}/events`;
const named = (namespace: string): `/${string}` => `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;

scenario(
  "a core Event can be read in events.k8s.io with its field names",
  async ({ client, namespace, expect }) => {
    const involvedObject = { kind: "ConfigMap", name: "a", namespace };
    const body = {
      metadata: { name: "e" },
      involvedObject,
      reason: "R",
      message: "m",
      type: "Normal",
      count: 3,
    };
    await wire(client, `POST ${core(namespace)}`, { body: { ...body, source: { component: "c" } } });
    const { metadata, ...rest } = (await wire(client, `GET ${named(namespace)}/e`)).body as {
      metadata: object;
    };
    expect(rest).toEqual({
      kind: "Event",
      apiVersion: "events.k8s.io/v1",
      eventTime: null,
      reason: "R",
      regarding: involvedObject,
      note: "m",
      type: "Normal",
      deprecatedSource: { component: "c" },
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
      deprecatedCount: 3,
    });
  },
);

scenario(
  "an events.k8s.io Event can be read in core/v1 with its field names",
  async ({ client, namespace, expect }) => {
    const regarding = { kind: "ConfigMap", name: "a", namespace };
    const body = {
      metadata: { name: "e" },
      regarding,
      reason: "R",
      note: "m",
      type: "Normal",
      eventTime: "2026-01-02T03:04:05.678901Z",
      action: "did",
      reportingController: "example.dev/c",
      reportingInstance: "i",
    };
    await wire(client, `POST ${named(namespace)}`, { body });
    const { metadata, ...rest } = (await wire(client, `GET ${core(namespace)}/e`)).body as {
      metadata: object;
    };
    expect(rest).toEqual({
      kind: "Event",
      apiVersion: "v1",
      involvedObject: regarding,
      reason: "R",
      message: "m",
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      type: "Normal",
      eventTime: "2026-01-02T03:04:05.678901Z",
      action: "did",
      reportingComponent: "example.dev/c",
      reportingInstance: "i",
    });
  },
);

scenario("a strategic merge patch updates the count of an Event", async ({ client, namespace, expect }) => {
  const involvedObject = { kind: "ConfigMap", name: "a", namespace };
  await wire(client, `POST ${core(namespace)}`, {
    body: { metadata: { name: "e" }, involvedObject, count: 1 },
  });
  const headers = { "content-type": "application/strategic-merge-patch+json" };
  const body = { count: 2, lastTimestamp: "2026-01-02T03:04:05Z" };
  const patched = (await wire(client, `PATCH ${core(namespace)}/e`, { body, headers })).body as typeof body;
  expect([patched.count, patched.lastTimestamp]).toEqual([2, "2026-01-02T03:04:05Z"]);
});

scenario("an Event has the namespace of its object", async ({ client, namespace, expect }) => {
  const involvedObject = { kind: "ConfigMap", name: "a", namespace: "elsewhere" };
  const response = await wire(client, `POST ${core(namespace)}`, {
    body: { metadata: { name: "e" }, involvedObject },
  });
  expect(statusMessage(response)).toEqual([
    422,
    'Event "e" is invalid: involvedObject.namespace: Invalid value: "elsewhere": does not match event.namespace',
  ]);
});

scenario("a new Event needs an eventTime", async ({ client, namespace, expect }) => {
  const regarding = { kind: "ConfigMap", name: "a", namespace };
  const response = await wire(client, `POST ${named(namespace)}`, {
    body: { metadata: { name: "e" }, regarding, type: "Normal" },
  });
  expect(statusMessage(response)).toEqual([422, 'Event "e" is invalid: eventTime: Required value']);
});

scenario(
  "times with an offset are returned in UTC, in seconds or with six digits",
  async ({ client, namespace, expect }) => {
    const involvedObject = { kind: "ConfigMap", name: "a", namespace };
    const time = "2026-01-02T05:04:05.678901+02:00";
    const body = {
      metadata: { generateName: "e-" },
      involvedObject,
      type: "Normal",
      reason: "R",
      action: "did",
      reportingComponent: "example.dev/c",
      reportingInstance: "i",
      firstTimestamp: time,
      eventTime: time,
    };
    const made = (await wire(client, `POST ${core(namespace)}`, { body })).body as typeof body;
    expect([made.firstTimestamp, made.eventTime]).toEqual([
      "2026-01-02T03:04:05Z",
      "2026-01-02T03:04:05.678901Z",
    ]);
  },
);

scenario("Events are selected by their object, in both groups", async ({ client, namespace, expect }) => {
  for (const name of ["a", "b"]) {
    const involvedObject = { kind: "ConfigMap", name, namespace };
    await wire(client, `POST ${core(namespace)}`, {
      body: { metadata: { name }, involvedObject, reason: name },
    });
  }
  const names = async (path: `/${string}`) => {
    const { items } = (await wire(client, `GET ${path}`)).body as {
      items: Array<{ metadata: { name: string } }>;
    };
    return items.map(({ metadata }) => metadata.name);
  };
  expect(await names(`${core(namespace)}?fieldSelector=involvedObject.name%3Da,reason%3Da`)).toEqual(["a"]);
  expect(
    await names(`${named(namespace)}?fieldSelector=regarding.name%3Db,regarding.kind%3DConfigMap`),
  ).toEqual(["b"]);
});

scenario(
  "a Lease has times with microseconds, and accepts no other precision",
  async ({ client, namespace, expect }) => {
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases` as const;
    const renewed = (name: string, renewTime: string) =>
      wire(client, `POST ${leases}`, { body: { metadata: { name }, spec: { renewTime } } });
    const made = (await renewed("a", "2026-01-02T03:04:05.678901Z")).body as { spec: { renewTime: string } };
    expect(made.spec.renewTime).toBe("2026-01-02T03:04:05.678901Z");
    const short = await Promise.all([
      renewed("b", "2026-01-02T03:04:05.678Z"),
      renewed("c", "2026-01-02T03:04:05Z"),
    ]);
    expect(short.map(({ status }) => status)).toEqual([400, 400]);
  },
);

scenario(
  "of two updates of a Lease with the same resourceVersion, one is refused",
  async ({ client, namespace, expect }) => {
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases` as const;
    const { metadata } = (await wire(client, `POST ${leases}`, { body: { metadata: { name: "a" } } }))
      .body as {
      metadata: object;
    };
    const take = (holderIdentity: string) =>
      wire(client, `PUT ${leases}/a`, { body: { metadata, spec: { holderIdentity } } });
    const [one, other] = [await take("one"), await take("other")];
    expect([one.status, other.status]).toEqual([200, 409]);
  },
);
