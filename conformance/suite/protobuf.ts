import type { Client } from "trimtab/client";
import { envelope, field, numberField, prefix, protobufType } from "../proto.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

const headers = { "content-type": protobufType, accept: "application/json" };

/** Fields of metadata: the name. */
const named = (name: string) => field(1, field(1, name));

/** Returns a ConfigMap with a name and other fields. */
const configMap = (name: string, ...fields: Buffer[]) => envelope("v1", "ConfigMap", named(name), ...fields);

type Path = `/${string}`;

function post(client: Client, path: Path, body: Buffer) {
  return wire(client, `POST ${path}`, { body, headers });
}

scenario(
  "an object in protobuf is stored like the same object in JSON",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    const data = field(2, field(1, "key"), field(2, "value"));
    const binary = field(3, field(1, "bytes"), field(2, Buffer.from([0, 255])));
    const created = await post(client, path, configMap("proto", data, binary, numberField(4, 1)));
    const asJson = {
      metadata: { name: "json" },
      data: { key: "value" },
      binaryData: { bytes: "AP8=" },
      immutable: true,
    };
    await wire(client, `POST ${path}`, { body: asJson });
    const read = async (name: string) => {
      const { text } = await wire(client, `GET ${path}/${name}`);
      return text.replaceAll(/"(uid|resourceVersion|name|creationTimestamp|time)":"[^"]*"/g, '"$1":""');
    };
    expect(created.status).toBe(201);
    expect(await read("proto")).toBe(await read("json"));
  },
);

scenario(
  "numbers, times and quantities in protobuf have their JSON form",
  async ({ client, namespace, expect }) => {
    const times = [
      field(3, numberField(1, 1_700_000_000), numberField(2, 123_456_789)),
      field(4, numberField(1, 0), numberField(2, 0)),
    ];
    const lease = envelope(
      "coordination.k8s.io/v1",
      "Lease",
      named("a"),
      field(2, numberField(2, 30), ...times),
    );
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases` as const;
    expect((await post(client, leases, lease)).body).toMatchObject({
      spec: {
        leaseDurationSeconds: 30,
        acquireTime: "2023-11-14T22:13:20.123456Z",
        renewTime: "1970-01-01T00:00:00.000000Z",
      },
    });
    const amount = field(2, field(1, "cpu"), field(2, field(1, "0.5")));
    const range = envelope("v1", "LimitRange", named("a"), field(2, field(1, field(1, "Pod"), amount)));
    const ranges = `/api/v1/namespaces/${namespace}/limitranges` as const;
    expect((await post(client, ranges, range)).body).toMatchObject({
      spec: { limits: [{ max: { cpu: "500m" } }] },
    });
  },
);

scenario("unknown fields in protobuf are dropped, even if validation is strict", async (stage) => {
  const { client, namespace, expect } = stage;
  const path = `/api/v1/namespaces/${namespace}/configmaps?fieldValidation=Strict` as const;
  const group = Buffer.from([0x9b, 6, 8, 1, 0x9c, 6]);
  const fixed = Buffer.from([0x99, 6, 1, 2, 3, 4, 5, 6, 7, 8, 0x9d, 6, 1, 2, 3, 4]);
  const body = configMap(
    "a",
    field(99, "unknown"),
    numberField(98, 300),
    group,
    fixed,
    field(2, field(1, "k"), field(9, "x")),
  );
  const { status, headers: received, body: created } = await post(client, path, body);
  expect([status, received.warning, (created as { data: unknown }).data]).toEqual([
    201,
    undefined,
    { k: "" },
  ]);
});

scenario(
  "a repeated message in protobuf is merged, and of a repeated scalar the last one counts",
  async (stage) => {
    const { client, namespace, expect } = stage;
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    const labels = (key: string) => field(11, field(1, key), field(2, "1"));
    const body = configMap("first", field(1, labels("a")), field(1, field(1, "last"), labels("b")));
    expect((await post(client, path, body)).body).toMatchObject({
      metadata: { name: "last", labels: { a: "1", b: "1" } },
    });
  },
);

scenario("an object in protobuf need not declare its kind", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  const bodies = [
    Buffer.concat([prefix, field(2, named("a"))]),
    envelope("", "ConfigMap", named("b")),
    envelope("a/b/c", "ConfigMap", named("c")),
  ];
  const responses = await Promise.all(bodies.map((body) => post(client, path, body)));
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
});

const objects: ReadonlyArray<readonly [fault: string, body: Buffer, message: string]> = [
  ["a length behind the end", configMap("a", Buffer.from([0x12, 0x7f, 1])), "unexpected EOF"],
  ["a length below 0", configMap("a", overflowing(1)), "proto: negative length found during unmarshaling"],
  ["a varint of eleven bytes", configMap("a", overflowing(0xff, 1)), "proto: integer overflow"],
  [
    "a number in place of a message",
    configMap("a", numberField(1, 1)),
    "proto: wrong wireType = 0 for field ObjectMeta",
  ],
  [
    "a number in place of a map",
    configMap("a", numberField(2, 1)),
    "proto: wrong wireType = 0 for field Data",
  ],
  [
    "bytes in place of a boolean",
    configMap("a", field(4, "a")),
    "proto: wrong wireType = 2 for field Immutable",
  ],
  ["field 0", configMap("a", Buffer.from([2, 0])), "proto: ConfigMap: illegal tag 0 (wire type 2)"],
  [
    "the end of no group",
    configMap("a", Buffer.from([0x14])),
    "proto: ConfigMap: wiretype end group for non-group",
  ],
  ["a group without an end", configMap("a", Buffer.from([0x9b, 6, 8, 1])), "unexpected EOF"],
  ["an unknown wire type", configMap("a", Buffer.from([0x9f, 6, 1])), "proto: illegal wireType 7"],
  ["an unknown field behind the end", configMap("a", Buffer.from([0x99, 6, 1])), "unexpected EOF"],
  ["a map entry behind the end", configMap("a", Buffer.from([0x12, 3, 0x0a, 4, 97])), "unexpected EOF"],
];

/** A map whose length has nine bytes of ones, and more. */
function overflowing(...last: readonly number[]): Buffer {
  return Buffer.from([0x12, ...Array<number>(9).fill(0xff), ...last]);
}

for (const [fault, body, message] of objects) {
  scenario(`an object in protobuf with ${fault} is refused`, async ({ client, namespace, expect }) => {
    const response = await post(client, `/api/v1/namespaces/${namespace}/configmaps`, body);
    const wrong = 'ConfigMap in version "v1" cannot be handled as a ConfigMap';
    expect(statusMessage(response)).toEqual([400, `${wrong}: ${message}`]);
  });
}

const noPrefix = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";

const envelopes: ReadonlyArray<readonly [fault: string, body: Buffer, message: string]> = [
  ["is empty", Buffer.alloc(0), "empty data (<empty>)"],
  ["has another prefix", Buffer.from("k9s\0abc"), `${noPrefix} (6b397300616263)`],
  ["is JSON", Buffer.from('{"metadata":{"name":"a"}}'), `${noPrefix} ({"metadata":{"name":"a"}})`],
  ["ends after the prefix", prefix, "empty body (6b387300)"],
  ["is truncated", prefixed(field(2, named("a")).subarray(0, -1)), "unexpected EOF (6b38730012050a030a01)"],
  [
    "has a number as its kind",
    prefixed(numberField(1, 1)),
    "proto: wrong wireType = 0 for field TypeMeta (6b3873000801)",
  ],
];

function prefixed(bytes: Buffer): Buffer {
  return Buffer.concat([prefix, bytes]);
}

for (const [fault, body, message] of envelopes) {
  scenario(`a protobuf body that ${fault} is refused`, async ({ client, namespace, expect }) => {
    const response = await post(client, `/api/v1/namespaces/${namespace}/configmaps`, body);
    const unrecognized = "the object provided is unrecognized (must be of type ConfigMap)";
    expect(statusMessage(response)).toEqual([400, `${unrecognized}: ${message}`]);
  });
}

scenario(
  "a protobuf body of another kind is refused like one in JSON",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    const bodies = [
      envelope("v1", "Secret", named("a")),
      envelope("v1", "Secret", numberField(1, 1)),
      envelope("v1", "Nothing", named("a")),
      envelope("v2", "ConfigMap", named("a")),
    ];
    const responses = await Promise.all(bodies.map((body) => post(client, path, body)));
    expect(responses.map(statusMessage)).toEqual([
      [
        400,
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ],
      [
        400,
        'Secret in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field ObjectMeta',
      ],
      [
        400,
        'Nothing in version "v1" cannot be handled as a ConfigMap: no kind "Nothing" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
      ],
      [
        400,
        'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
      ],
    ]);
  },
);

scenario("a delete reads its options from protobuf", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  await post(client, path, configMap("a"));
  const send = (body: Buffer) => wire(client, `DELETE ${path}/a`, { body, headers });
  const dryRun = await send(envelope("v1", "DeleteOptions", field(4, "Background"), field(5, "All")));
  const uid = await send(envelope("v1", "DeleteOptions", field(2, field(1, "other"))));
  const faults = await Promise.all([
    send(prefix),
    send(Buffer.from("k9s\0")),
    send(envelope("v1", "DeleteOptions", field(1, "a"))),
    send(envelope("v1", "ConfigMap", named("a"))),
  ]);
  const deleted = await send(envelope("v1", "DeleteOptions", numberField(1, 0)));
  expect([dryRun.status, uid.status, deleted.status]).toEqual([200, 409, 200]);
  expect(faults.map(statusMessage)).toEqual([
    [400, "empty body"],
    [400, noPrefix],
    [400, "proto: wrong wireType = 2 for field GracePeriodSeconds"],
    [400, 'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
  ]);
});

scenario("a patch in protobuf is refused", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/a` as const;
  const response = await wire(client, `PATCH ${path}`, { body: configMap("a"), headers });
  expect(statusMessage(response)).toEqual([415, "415: Unsupported Media Type"]);
});

scenario("a review and a scale are read from protobuf", async ({ client, namespace, expect }) => {
  const attributes = field(1, field(1, namespace), field(2, "get"), field(5, "pods"));
  const group = "authorization.k8s.io/v1";
  const review = envelope(group, "SelfSubjectAccessReview", field(2, attributes));
  const answer = await post(client, `/apis/${group}/selfsubjectaccessreviews`, review);
  expect(answer.body).toMatchObject({
    status: { allowed: true },
    spec: { resourceAttributes: { verb: "get" } },
  });
  const container = field(2, field(1, "main"), field(2, "image:1"));
  const template = field(3, field(1, field(11, field(1, "app"), field(2, "a"))), field(2, container));
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments` as const;
  const spec = field(2, numberField(1, 0), field(2, field(1, field(1, "app"), field(2, "a"))), template);
  const made = await post(client, deployments, envelope("apps/v1", "Deployment", named("web"), spec));
  expect(made.body).toMatchObject({ spec: { replicas: 0, strategy: { type: "RollingUpdate" } } });
  const scale = envelope("autoscaling/v1", "Scale", named("web"), field(2, numberField(1, 3)));
  const scaled = await wire(client, `PUT ${deployments}/web/scale`, { body: scale, headers });
  expect(scaled.body).toMatchObject({ kind: "Scale", spec: { replicas: 3 } });
});
