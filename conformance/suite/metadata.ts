import { ConfigMap } from "trimtab/api/core/v1";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, warningsOf, wire } from "../wire.ts";

const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "5b0c2c1e-0000-4000-8000-000000000001" };

function pathIn(namespace: string): `/${string}` {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

scenario("metadata that the server sets is ignored in a create", async ({ client, namespace, expect }) => {
  const metadata = {
    name: "a",
    uid: "mine",
    creationTimestamp: "2020-01-01T00:00:00Z",
    deletionTimestamp: "2020-01-01T00:00:00Z",
    deletionGracePeriodSeconds: 5,
    selfLink: "/x",
    managedFields: [{ manager: "me" }],
  };
  const { body } = await wire(client, `POST ${pathIn(namespace)}`, { body: { metadata } });
  expect(masked(body)).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
    },
  });
  const { uid, creationTimestamp } = (body as ConfigMap).metadata;
  expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(creationTimestamp).not.toBe("2020-01-01T00:00:00Z");
});

scenario("a generated name has a prefix of at most 58 characters", async ({ client, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { generateName: "x".repeat(70) } });
  expect(metadata.name).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(metadata.generateName).toBe("x".repeat(70));
});

scenario("a name takes precedence over generateName", async ({ client, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a", generateName: "b-" } });
  expect([metadata.name, metadata.generateName]).toEqual(["a", "b-"]);
});

scenario(
  "a create with the name of a terminating object is refused with that reason",
  async ({ client, expect, namespace }) => {
    const finalizers = ["example.dev/hold"];
    await client.create(ConfigMap, { metadata: { name: "a", finalizers } });
    await client.delete(ConfigMap, "a");
    const response = await wire(client, `POST ${pathIn(namespace)}`, { body: { metadata: { name: "a" } } });
    await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
    expect(response.body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'object is being deleted: configmaps "a" already exists',
      reason: "AlreadyExists",
      details: { name: "a", kind: "configmaps" },
      code: 409,
    });
  },
);

scenario("an update keeps creationTimestamp and generation", async ({ client, namespace, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const sent = { ...metadata, creationTimestamp: "2020-01-01T00:00:00Z", generation: 9 };
  const { body } = await wire(client, `PUT ${pathIn(namespace)}/a`, {
    body: { metadata: sent, data: { a: "1" } },
  });
  const { creationTimestamp, generation } = (body as ConfigMap).metadata;
  expect({ creationTimestamp, generation }).toEqual({
    creationTimestamp: metadata.creationTimestamp,
    generation: undefined,
  });
});

scenario("an update cannot set deletionTimestamp", async ({ client, namespace, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const sent = { ...metadata, deletionTimestamp: "2020-01-01T00:00:00Z" };
  expect(
    statusMessage(await wire(client, `PUT ${pathIn(namespace)}/a`, { body: { metadata: sent } })),
  ).toEqual([
    422,
    'ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable',
  ]);
});

scenario("the name in an update must match the path", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const put = async (metadata: object) =>
    statusMessage(await wire(client, `PUT ${pathIn(namespace)}/a`, { body: { metadata } }));
  expect(await put({ name: "b" })).toEqual([
    400,
    "the name of the object (b) does not match the name on the URL (a)",
  ]);
  expect(await put({})).toEqual([
    400,
    "the name of the object (a based on URL) was undeterminable: name must be provided",
  ]);
  expect(await put({ name: "a", namespace: "other" })).toEqual([
    400,
    "the namespace of the provided object does not match the namespace sent on the request",
  ]);
});

scenario(
  "an update with a resourceVersion that is not a number is refused",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const body = { metadata: { name: "a", resourceVersion: "abc" } };
    expect((await wire(client, `PUT ${pathIn(namespace)}/a`, { body })).body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'strconv.ParseUint: parsing "abc": invalid syntax',
      code: 500,
    });
  },
);

scenario(
  "a duplicate owner reference is stored once, with a warning",
  async ({ client, namespace, expect }) => {
    const metadata = { name: "a", ownerReferences: [owner, owner] };
    const response = await wire(client, `POST ${pathIn(namespace)}`, { body: { metadata } });
    expect((response.body as ConfigMap).metadata.ownerReferences).toEqual([owner]);
    expect(warningsOf(response)).toEqual([
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${owner.uid}`,
    ]);
  },
);

scenario(
  "owner references are complete, have at most one controller, and name no Event",
  async ({ client, namespace, expect }) => {
    const refused = async (ownerReferences: object[]) => {
      const metadata = { name: "a", ownerReferences };
      return statusMessage(await wire(client, `POST ${pathIn(namespace)}`, { body: { metadata } }));
    };
    const empty = 'Invalid value: "": must not be empty';
    expect(await refused([{ apiVersion: "", kind: "", name: "", uid: "" }])).toEqual([
      422,
      'ConfigMap "a" is invalid: [metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, ' +
        `metadata.ownerReferences.kind: ${empty}, metadata.ownerReferences.name: ${empty}, metadata.ownerReferences.uid: ${empty}]`,
    ]);
    const [, two] = await refused([
      { ...owner, controller: true },
      { ...owner, uid: "other", controller: true },
    ]);
    expect(two).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for ConfigMap/o and ConfigMap/o',
    );
    const [, event] = await refused([{ ...owner, kind: "Event" }]);
    expect(event).toContain("/v1, Kind=Event is disallowed from being an owner");
  },
);

scenario(
  "finalizers have names with a domain, and do not contradict each other",
  async ({ client, namespace, expect }) => {
    const refused = async (finalizers: string[]) =>
      statusMessage(
        await wire(client, `POST ${pathIn(namespace)}`, { body: { metadata: { name: "a", finalizers } } }),
      );
    const [code, both] = await refused(["orphan", "foregroundDeletion"]);
    expect([code, both]).toEqual([
      422,
      expect.stringContaining("finalizer orphan and foregroundDeletion cannot be both set"),
    ]);
    const [, plain] = await refused(["plain"]);
    expect(plain).toContain("name is neither a standard finalizer name nor is it fully qualified");
    const [, bad] = await refused(["bad name"]);
    expect(bad).toContain('metadata.finalizers: Invalid value: "bad name": name part must consist of');
  },
);

scenario("annotations have at most 256 KiB in total", async ({ client, namespace, expect }) => {
  const metadata = { name: "a", annotations: { a: "x".repeat(256 * 1024) } };
  expect(statusMessage(await wire(client, `POST ${pathIn(namespace)}`, { body: { metadata } }))).toEqual([
    422,
    'ConfigMap "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
});

scenario("label names and values are validated", async ({ client, namespace, expect }) => {
  const metadata = { name: "a", labels: { "bad key": "x", good: "bad value" } };
  const [code, message] = statusMessage(
    await wire(client, `POST ${pathIn(namespace)}`, { body: { metadata } }),
  );
  expect(code).toBe(422);
  expect(message).toContain('metadata.labels: Invalid value: "bad key": name part must consist of');
  expect(message).toContain(
    'metadata.labels: Invalid value: "bad value": a valid label must be an empty string or',
  );
});

scenario("a field manager has at most 128 characters", async ({ client, namespace, expect }) => {
  const line = `POST ${pathIn(namespace)}?fieldManager=${"m".repeat(129)}` as const;
  const [code, message] = statusMessage(await wire(client, line, { body: { metadata: { name: "a" } } }));
  expect([code, message]).toEqual([
    422,
    expect.stringContaining("fieldManager: Too long: may not be more than 128 bytes"),
  ]);
});

scenario("an update of an absent object creates it for some kinds", async ({ client, namespace, expect }) => {
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases` as const;
  const put = (name: string, metadata: object) =>
    wire(client, `PUT ${leases}/${name}`, {
      body: { metadata: { name, ...metadata }, spec: { holderIdentity: "me" } },
    });
  expect((await put("a", { resourceVersion: "5" })).status).toBe(201);
  const [code, message] = statusMessage(await put("b", { uid: "other" }));
  expect([code, message]).toEqual([
    409,
    `Operation cannot be fulfilled on leases.coordination.k8s.io "b": StorageError: invalid object, Code: 4, Key: /registry/leases/${namespace}/b, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: `,
  ]);
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles/a` as const;
  expect((await wire(client, `PUT ${roles}`, { body: { metadata: { name: "a" } } })).status).toBe(201);
  expect(
    (await wire(client, `PUT ${pathIn(namespace)}/a`, { body: { metadata: { name: "a" } } })).status,
  ).toBe(404);
});

scenario(
  "an update without a resourceVersion is refused for kinds that require it",
  async ({ client, namespace, expect }) => {
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases` as const;
    await wire(client, `POST ${leases}`, { body: { metadata: { name: "a" } } });
    const response = await wire(client, `PUT ${leases}/a`, { body: { metadata: { name: "a" } } });
    expect(statusMessage(response)).toEqual([
      422,
      'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  },
);
