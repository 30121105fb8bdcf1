import type { Client } from "trimtab/client";
import { type Things, things, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, type WireAnswer, warningsOf, wire } from "../wire.ts";

const text = { type: "string" };

function make(client: Client, made: Things, spec: object): Promise<WireAnswer> {
  return wire(client, `POST ${made.path("v1")}`, { body: made.thing("a", spec) });
}

function tryToMake(client: Client, made: Things, spec: object): Promise<WireAnswer> {
  return wire(client, `POST ${made.path("v1")}?dryRun=All`, { body: made.thing("a", spec) });
}

/** Returns the spec that the server would store. */
async function stored(client: Client, made: Things, spec: object): Promise<unknown> {
  const response = await tryToMake(client, made, spec);
  return response.status === 201 ? (response.body as { spec: unknown }).spec : statusMessage(response);
}

/** Returns the server's causes for refusing the spec, without the surrounding message. */
async function faultOf(client: Client, made: Things, spec: object): Promise<string> {
  const [, message] = statusMessage(await tryToMake(client, made, spec));
  return message.replace(`Thing.${made.group} "a" is invalid: `, "");
}

scenario("undeclared fields are pruned at every level", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [
    version("v1", {
      known: { type: "object", properties: { a: text } },
      list: { type: "array", items: { type: "object", properties: { a: text } } },
      map: { type: "object", additionalProperties: { type: "object", properties: { a: text } } },
      open: {
        type: "object",
        "x-kubernetes-preserve-unknown-fields": true,
        properties: { in: { type: "object" } },
      },
    }),
  ]);
  const both = { a: "1", b: "2" };
  const sent = { other: 1, known: both, list: [both], map: { x: both }, open: { y: both, in: both } };
  const response = await make(client, made, sent);
  expect((response.body as { spec: unknown }).spec).toEqual({
    known: { a: "1" },
    list: [{ a: "1" }],
    map: { x: { a: "1" } },
    open: { y: both, in: {} },
  });
  expect(warningsOf(response)).toEqual([
    'unknown field "spec.known.b"',
    'unknown field "spec.list[0].b"',
    'unknown field "spec.map.x.b"',
    'unknown field "spec.open.in.a"',
    'unknown field "spec.open.in.b"',
    'unknown field "spec.other"',
  ]);
});

scenario("defaults are set where the parent exists", async (stage) => {
  const { client, expect } = stage;
  const inner = { type: "object", properties: { a: { ...text, default: "x" } } };
  await using made = await things(stage, [
    version("v1", {
      direct: { type: "integer", default: 3 },
      inner,
      filled: { ...inner, default: {} },
      list: { type: "array", items: inner },
      map: { type: "object", additionalProperties: inner },
    }),
  ]);
  expect(await stored(client, made, { list: [{}, { a: "y" }], map: { k: {} } })).toEqual({
    direct: 3,
    filled: { a: "x" },
    list: [{ a: "x" }, { a: "y" }],
    map: { k: { a: "x" } },
  });
});

scenario("nulls are dropped, defaulted, or kept if nullable", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [
    version("v1", {
      plain: text,
      filled: { ...text, default: "x" },
      nullable: { ...text, nullable: true },
      both: { ...text, nullable: true, default: "x" },
    }),
  ]);
  const nulls = { plain: null, filled: null, nullable: null, both: null };
  expect(await stored(client, made, nulls)).toEqual({ filled: "x", nullable: null, both: null });
});

scenario("values are validated by every keyword of the schema", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [
    version("v1", {
      min: { type: "integer", minimum: 1, maximum: 5 },
      open: { type: "number", minimum: 1, exclusiveMinimum: true },
      step: { type: "integer", multipleOf: 3 },
      short: { ...text, maxLength: 2, minLength: 1 },
      matching: { ...text, pattern: "^a+$" },
      one: { ...text, enum: ["x", "y"] },
      few: { type: "array", items: text, maxItems: 1, minItems: 1 },
      map: { type: "object", additionalProperties: text, maxProperties: 1 },
      strict: { type: "object", required: ["a"], properties: { a: text } },
      truth: { type: "boolean" },
    }),
  ]);
  const faults: ReadonlyArray<readonly [object, string]> = [
    [{ min: 0 }, "spec.min: Invalid value: 0: spec.min in body should be greater than or equal to 1"],
    [{ min: 6 }, "spec.min: Invalid value: 6: spec.min in body should be less than or equal to 5"],
    [{ open: 1 }, "spec.open: Invalid value: 1: spec.open in body should be greater than 1"],
    [{ step: 4 }, "spec.step: Invalid value: 4: spec.step in body should be a multiple of 3"],
    [{ short: "abc" }, "spec.short: Too long: may not be more than 2 bytes"],
    [{ short: "" }, 'spec.short: Invalid value: "": spec.short in body should be at least 1 chars long'],
    [{ matching: "b" }, "spec.matching: Invalid value: \"b\": spec.matching in body should match '^a+$'"],
    [{ one: "z" }, 'spec.one: Unsupported value: "z": supported values: "x", "y"'],
    [{ few: ["a", "b"] }, "spec.few: Too many: 2: must have at most 1 item"],
    [{ few: [] }, "spec.few: Invalid value: 0: spec.few in body should have at least 1 items"],
    [{ map: { a: "1", b: "2" } }, "spec.map: Too many: 2: must have at most 1 item"],
    [{ strict: {} }, "spec.strict.a: Required value"],
    [
      { truth: "yes" },
      'spec.truth: Invalid value: "string": spec.truth in body must be of type boolean: "string"',
    ],
    [{ min: "1" }, 'spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"'],
  ];
  for (const [spec, fault] of faults) expect(await faultOf(client, made, spec)).toBe(fault);
});

scenario("known formats are validated, and unknown ones are not", async (stage) => {
  const { client, expect } = stage;
  const formats = ["date", "date-time", "duration", "email", "ipv4", "ipv6", "cidr", "mac", "uuid", "uri"];
  const properties = Object.fromEntries(
    [...formats, "hostname", "fancy"].map((format) => [format, { ...text, format }]),
  );
  await using made = await things(stage, [version("v1", properties)]);
  for (const format of formats) {
    expect(await faultOf(client, made, { [format]: "~" })).toBe(
      `spec.${format}: Invalid value: "~": spec.${format} in body must be of type ${format}: "~"`,
    );
  }
  const good = {
    date: "2020-01-02",
    "date-time": "2020-01-02T03:04:05Z",
    duration: "3s",
    uri: "https://example.dev",
    email: "a@example.dev",
    hostname: "example.dev",
    ipv4: "10.0.0.1",
    ipv6: "::1",
    cidr: "10.0.0.0/8",
    mac: "00:00:5e:00:53:01",
    uuid: "2b4e8f3a-1b6a-4c38-9a3c-7d1f0a9b8c7d",
    fancy: "~",
  };
  expect(await stored(client, made, good)).toEqual(good);
});

scenario("an int-or-string accepts both", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", { port: { "x-kubernetes-int-or-string": true } })]);
  expect(await stored(client, made, { port: 80 })).toEqual({ port: 80 });
  expect(await stored(client, made, { port: "http" })).toEqual({ port: "http" });
  expect(await faultOf(client, made, { port: true })).toBe(
    'spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
  );
});

scenario("elements of sets and keyed lists are unique", async (stage) => {
  const { client, expect } = stage;
  const items = { type: "object", required: ["k"], properties: { k: text, v: text } };
  await using made = await things(stage, [
    version("v1", {
      set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      keyed: { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
    }),
  ]);
  expect(await faultOf(client, made, { set: ["a", "b", "a"] })).toBe('spec.set[2]: Duplicate value: "a"');
  expect(await faultOf(client, made, { keyed: [{ k: "a" }, { k: "a", v: "1" }] })).toBe(
    'spec.keyed[1]: Duplicate value: {"k":"a"}',
  );
});

scenario(
  "an embedded resource keeps its kind and apiVersion, and its metadata is validated",
  async (stage) => {
    const { client, expect } = stage;
    const embedded = {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "object", properties: { a: text } } },
    };
    await using made = await things(stage, [version("v1", { embedded })]);
    const good = { apiVersion: "v1", kind: "Pod", metadata: { name: "x", labels: { a: "b" } } };
    const sent = { ...good, metadata: { ...good.metadata, other: 1 }, other: 1 };
    expect(await stored(client, made, { embedded: sent })).toEqual({ embedded: good });
    expect(await faultOf(client, made, { embedded: { apiVersion: "v1" } })).toBe(
      "spec.embedded.kind: Required value",
    );
    const bad = { ...good, metadata: { name: "x", labels: { "bad key": "b" } } };
    expect(await faultOf(client, made, { embedded: bad })).toMatch(
      /^spec\.embedded\.metadata\.labels: Invalid value: "bad key": name part must consist of /,
    );
  },
);

scenario("all schemas of a union are validated", async (stage) => {
  const { client, expect } = stage;
  const either = {
    type: "object",
    properties: { a: text, b: text },
    oneOf: [{ required: ["a"] }, { required: ["b"] }],
  };
  await using made = await things(stage, [version("v1", { either })]);
  expect(await stored(client, made, { either: { a: "1" } })).toEqual({ either: { a: "1" } });
  expect(await faultOf(client, made, { either: { a: "1", b: "2" } })).toBe(
    '<nil>: Invalid value: "": "spec.either" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  );
});

scenario("a strict write of a custom object names unknown and duplicate fields", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", { size: { type: "integer" } })]);
  const body = `{"apiVersion":"${made.group}/v1","kind":"Thing","metadata":{"name":"a","odd":1},"spec":{"size":1,"size":2,"z":1,"y":2}}`;
  const texts = [
    'duplicate field "spec.size"',
    'unknown field "metadata.odd"',
    'unknown field "spec.y"',
    'unknown field "spec.z"',
  ];
  const strict = await wire(client, `POST ${made.path("v1")}?fieldValidation=Strict`, { body });
  expect(statusMessage(strict)).toEqual([
    400,
    `Thing in version "v1" cannot be handled as a Thing: strict decoding error: ${texts.join(", ")}`,
  ]);
  const warned = await wire(client, `POST ${made.path("v1")}`, { body });
  expect([warned.status, warningsOf(warned), (warned.body as { spec: unknown }).spec]).toEqual([
    201,
    texts,
    { size: 2 },
  ]);
  const ignored = await wire(client, `POST ${made.path("v1")}?fieldValidation=Ignore&dryRun=All`, {
    body: body.replace('"a"', '"b"'),
  });
  expect([ignored.status, warningsOf(ignored)]).toEqual([201, []]);
});

scenario(
  "the generation of a custom object counts its content, and the status only without a status subresource",
  async (stage) => {
    const { client, expect } = stage;
    await using made = await things(stage, [version("v1", { a: text })]);
    await make(client, made, { a: "1" });
    const generationAfter = async (body: object) => {
      const response = await wire(client, `PATCH ${made.path("v1")}/a`, { body });
      return (response.body as { metadata: { generation: number } }).metadata.generation;
    };
    expect(await generationAfter({ metadata: { labels: { x: "y" } } })).toBe(1);
    expect(await generationAfter({ spec: { a: "2" } })).toBe(2);
    expect(await generationAfter({ spec: { a: "2" } })).toBe(2);
    expect(await generationAfter({ status: { a: "2" } })).toBe(3);
  },
);
