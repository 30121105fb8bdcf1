import { inspect } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { kindName, type StatusCause } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { startCluster } from "../testing/index.ts";
import { DefinitionError, defineResource, InvalidObjectError } from "./index.ts";

const Website = defineResource({
  group: "example.dev",
  version: "v1",
  kind: "Website",
  shortNames: ["ws"],
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1),
    mode: z.enum(["fast", "slow"]).nullable().optional(),
  }),
  status: z.object({ readyReplicas: z.int32() }),
  columns: [{ name: "Image", path: ".spec.image", type: "string" }],
  annotations: { team: "web" },
});

test("a declared kind can be used like any other", () => {
  expect(kindName(Website)).toBe("example.dev/v1 Website");
  expect([Website.plural, Website.namespaced]).toEqual(["websites", true]);
});

test.each([
  ["Website", "websites"],
  ["Policy", "policies"],
  ["Gateway", "gateways"],
  ["Ingress", "ingresses"],
  ["Batch", "batches"],
])("%s has the plural %s by default", (kind, plural) => {
  const spec = z.object({});
  expect(defineResource({ group: "example.dev", version: "v1", kind, spec }).plural).toBe(plural);
  const named = defineResource({ group: "example.dev", version: "v1", kind, plural: "things", spec });
  expect(named.toCustomResourceDefinition().metadata.name).toBe("things.example.dev");
});

test("a declared kind returns a new CustomResourceDefinition on every call", () => {
  const definition = Website.toCustomResourceDefinition();
  expect(definition).toEqual({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "websites.example.dev", annotations: { team: "web" } },
    spec: {
      group: "example.dev",
      scope: "Namespaced",
      names: {
        kind: "Website",
        listKind: "WebsiteList",
        plural: "websites",
        singular: "website",
        shortNames: ["ws"],
      },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              required: ["spec"],
              properties: {
                spec: {
                  type: "object",
                  required: ["image"],
                  properties: {
                    image: { type: "string", minLength: 1 },
                    replicas: { type: "integer", minimum: 0, maximum: 2 ** 31 - 1, default: 1 },
                    mode: { type: "string", nullable: true, allOf: [{ enum: ["fast", "slow"] }] },
                  },
                },
                status: {
                  type: "object",
                  required: ["readyReplicas"],
                  properties: {
                    readyReplicas: { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
                  },
                },
              },
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: "Image", jsonPath: ".spec.image", type: "string" }],
        },
      ],
    },
  });
  definition.spec.versions.pop();
  expect(Website.toCustomResourceDefinition().spec.versions).toHaveLength(1);
});

test("a spec whose fields all have defaults is optional", () => {
  const spec = z.object({ size: z.int32().default(3) }).prefault({});
  const Shelf = defineResource({
    group: "example.dev",
    version: "v1",
    kind: "Shelf",
    scope: "Cluster",
    spec,
  });
  expect(Shelf.namespaced).toBe(false);
  expect(Shelf.parse({ metadata: { name: "a" } }).spec).toEqual({ size: 3 });
});

test("all problems of a declaration are reported at once, with the kind", () => {
  const declare = () =>
    defineResource({
      group: "example.dev",
      version: "v1",
      kind: "Website",
      spec: z.object({ when: z.date() }),
      status: z.object({ seen: z.set(z.string()) }),
    });
  expect(declare).toThrow(
    new DefinitionError("Website of example.dev/v1", [
      { field: "spec.when", reason: "JSON has no date; use a string, such as z.iso.datetime()" },
      { field: "status.seen", reason: "JSON has no set" },
    ]),
  );
  expect(declare).toThrow(
    "expected a schema of Website of example.dev/v1 that an API server can serve, got\n" +
      "  spec.when: JSON has no date; use a string, such as z.iso.datetime()\n" +
      "  status.seen: JSON has no set",
  );
});

let count = 0;
const varyingDefaults: ReadonlyArray<[string, z.ZodType, string]> = [
  ["a time", z.object({ at: z.string().default(() => new Date().toISOString()) }), "spec.at"],
  ["milliseconds", z.object({ at: z.int().default(() => Date.now()) }), "spec.at"],
  ["a random number", z.object({ id: z.number().default(() => Math.random()) }), "spec.id"],
  ["a counter", z.object({ no: z.int().default(() => count++) }), "spec.no"],
  [
    "a time in a list and a map",
    z.object({
      runs: z.record(
        z.string(),
        z.array(z.object({ at: z.string().default(() => new Date().toISOString()) })),
      ),
    }),
    "spec.runs[*][*].at",
  ],
  ["a whole spec", z.object({ at: z.string() }).default(() => ({ at: new Date().toISOString() })), "spec"],
];

test.each(varyingDefaults)(
  "a default of %s is refused, because it differs between evaluations",
  (_, spec, field) => {
    const declare = () => defineResource({ group: "example.dev", version: "v1", kind: "Website", spec });
    const reason =
      "the default changes on every evaluation, but a CustomResourceDefinition holds one value for all objects: " +
      "make the field optional and set it where the object is created or reconciled";
    expect(declare).toThrow(new DefinitionError("Website of example.dev/v1", [{ field, reason }]));
  },
);

test("a computed default with a constant value is accepted", () => {
  const spec = z.object({
    since: z.string().default(() => new Date(0).toISOString()),
    tags: z.array(z.string()).default(() => []),
  });
  const Menu = defineResource({ group: "example.dev", version: "v1", kind: "Menu", spec });
  expect(Menu.parse({ metadata: { name: "a" }, spec: {} }).spec).toEqual({
    since: "1970-01-01T00:00:00.000Z",
    tags: [],
  });
});

test("names that an API server would refuse are reported with their fields", () => {
  const declare = () =>
    defineResource({
      group: "example",
      version: "1",
      kind: "Web Site",
      plural: "WebSites",
      shortNames: ["ws", "w.s"],
      spec: z.object({ when: z.date() }),
    });
  expect(declare).toThrow(
    new DefinitionError("Web Site of example/1", [
      {
        field: "group",
        reason: 'expected a domain with at least one dot, such as example.dev, got "example"',
      },
      { field: "version", reason: 'expected lower case letters and digits, such as v1, got "1"' },
      { field: "kind", reason: 'expected letters and digits, such as Website, got "Web Site"' },
      { field: "plural", reason: 'expected lower case letters and digits, such as websites, got "WebSites"' },
      { field: "shortNames[1]", reason: 'expected lower case letters and digits, such as ws, got "w.s"' },
      { field: "spec.when", reason: "JSON has no date; use a string, such as z.iso.datetime()" },
    ]),
  );
});

test("an uncaught error prints its problems once", () => {
  const error = new DefinitionError("Website of example.dev/v1", [{ field: "spec", reason: "no schema" }]);
  error.stack = `DefinitionError: ${error.message}`;
  expect([inspect(error), error.problems]).toEqual([
    `[DefinitionError: ${error.message}]`,
    [{ field: "spec", reason: "no schema" }],
  ]);
});

test("parsing prunes and defaults, and does not modify its input", () => {
  const given = { metadata: { name: "docs" }, spec: { image: "nginx", colour: "red" } };
  expect(Website.parse(given)).toEqual({
    apiVersion: "example.dev/v1",
    kind: "Website",
    metadata: { name: "docs" },
    spec: { image: "nginx", replicas: 1 },
  });
  expect(given.spec).toEqual({ image: "nginx", colour: "red" });
});

test.each<[string, unknown, string]>([
  [
    "an object that violates the schema",
    { metadata: { name: "docs" }, spec: { image: "", replicas: -1 } },
    'Website.example.dev "docs" is invalid: [' +
      'spec.image: Invalid value: "": spec.image in body should be at least 1 chars long, ' +
      "spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0]",
  ],
  [
    "a missing spec",
    { metadata: { name: "docs" } },
    'Website.example.dev "docs" is invalid: spec: Required value',
  ],
  [
    "another kind",
    { kind: "Shop", metadata: { name: "docs" }, spec: { image: "nginx" } },
    'Website.example.dev "docs" is invalid: kind: Invalid value: "Shop": must be Website',
  ],
  ["a value that is not an object", 7, "expected a Website, got number"],
])("parsing refuses %s with the server's message", (_, value, message) => {
  expect(() => Website.parse(value)).toThrow(message);
  expect(() => Website.parse(value)).toThrow(InvalidObjectError);
});

test("a cluster serves the given kinds as they were declared", async () => {
  await using cluster = await startCluster({ kinds: [Website] });
  const { client } = cluster;
  const input = { metadata: { name: "docs" }, spec: { image: "nginx", colour: "red" } };
  // A client may send fields that the type does not have.
  const site = await client.create(Website, input as never);
  expect(site.spec).toEqual({ image: "nginx", replicas: 1 });
  expect(await client.get(Website, "docs")).toEqual(Website.parse(site));
  await client.applyStatus(Website, site, { readyReplicas: 1 });
  expect((await client.get(Website, "docs"))?.status).toEqual({ readyReplicas: 1 });
});

test("the definition can be applied to a server", async () => {
  await using cluster = await startCluster();
  const definition = await cluster.client.apply(
    CustomResourceDefinition,
    Website.toCustomResourceDefinition(),
  );
  expect(definition.spec.names.kind).toBe("Website");
});

test("the server and the parser refuse the same objects with the same messages", async () => {
  await using cluster = await startCluster({ kinds: [Website] });
  const broken = { metadata: { name: "docs" }, spec: { image: "nginx", replicas: -1, mode: "loud" } };
  const error = await cluster.client.create(Website, broken as never).catch((cause) => cause);
  const parsed = causesOf(() => Website.parse(broken));
  expect(parsed).toHaveLength(3);
  expect(inOrder(error.details.causes)).toEqual(inOrder(parsed));
});

function causesOf(parse: () => unknown): readonly StatusCause[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof InvalidObjectError) return error.causes;
    throw error;
  }
  return [];
}

/** Compares without order: a server may return the fields of a schema in another order. */
function inOrder(causes: readonly StatusCause[]): StatusCause[] {
  return causes.toSorted((one, other) => (one.message ?? "").localeCompare(other.message ?? ""));
}
