import { expect, test } from "vitest";
import { z } from "zod";
import { kindName } from "../api/index.ts";
import { startCluster } from "../testing/index.ts";
import { ConversionError, DefinitionError, defineResource, type Problem, rule } from "./index.ts";

const name = { group: "example.dev", kind: "Website" } as const;

/** `v1` has several images, `v1beta1` one image with a tag, `v1alpha1` has the fields of `v1`. */
const Websites = defineResource({
  ...name,
  shortNames: ["ws"],
  versions: {
    v1: {
      storage: true,
      spec: z.object({ images: z.array(z.string()), replicas: z.int32().default(1) }),
      status: z.object({ ready: z.int32() }),
      columns: [{ name: "Replicas", path: ".spec.replicas", type: "integer" }],
    },
    v1beta1: {
      spec: z.object({ image: z.string(), tag: z.string().optional() }).meta(rule("self.image != ''")),
      status: z.object({ ready: z.boolean() }),
      deprecated: "example.dev/v1beta1 ends in 2031",
      convert: {
        toStorage({ spec, status, metadata }) {
          const { labels, annotations } = metadata;
          return {
            spec: {
              images: [spec.tag === undefined ? spec.image : `${spec.image}:${spec.tag}`],
              replicas: 1,
            },
            ...(status && { status: { ready: status.ready ? 1 : 0 } }),
            metadata: { labels, annotations: { ...annotations, "example.dev/from": "v1beta1" } },
          };
        },
        fromStorage(object) {
          const [image = "", tag] = (object.spec.images[0] ?? "").split(":");
          const { status } = object;
          object.metadata.uid = "changed";
          return { ...object, spec: { image, tag }, status: status && { ready: status.ready > 0 } };
        },
      },
    },
    v1alpha1: {
      spec: z.object({ images: z.array(z.string()) }),
      convert: "none",
      served: false,
      deprecated: true,
    },
  },
});
const { conversion } = Websites;

test("a kind with several versions has a kind for each", () => {
  expect([Websites.v1, Websites.v1beta1, Websites.v1alpha1].map(kindName)).toEqual([
    "example.dev/v1 Website",
    "example.dev/v1beta1 Website",
    "example.dev/v1alpha1 Website",
  ]);
  expect(Websites.v1beta1.parse({ metadata: { name: "a" }, spec: { image: "nginx", color: "red" } })).toEqual(
    {
      apiVersion: "example.dev/v1beta1",
      kind: "Website",
      metadata: { name: "a" },
      spec: { image: "nginx" },
    },
  );
});

test("all versions are in one CustomResourceDefinition, in the order of their declaration", () => {
  const { metadata, spec } = Websites.toCustomResourceDefinition();
  expect(metadata).toEqual({ name: "websites.example.dev" });
  expect(spec.conversion).toBeUndefined();
  const versions = spec.versions.map(({ schema, ...rest }) => ({ ...rest, fields: fieldsOf(schema) }));
  expect(versions).toEqual([
    {
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: "Replicas", jsonPath: ".spec.replicas", type: "integer" }],
      fields: ["images", "replicas"],
    },
    {
      name: "v1beta1",
      served: true,
      storage: false,
      deprecated: true,
      deprecationWarning: "example.dev/v1beta1 ends in 2031",
      subresources: { status: {} },
      fields: ["image", "tag"],
    },
    { name: "v1alpha1", served: false, storage: false, deprecated: true, fields: ["images"] },
  ]);
  expect(Websites.v1beta1.toCustomResourceDefinition()).toEqual(Websites.toCustomResourceDefinition());
});

type SchemaOfVersion = ReturnType<
  typeof Websites.toCustomResourceDefinition
>["spec"]["versions"][number]["schema"];

function fieldsOf(schema: SchemaOfVersion): string[] {
  return Object.keys(schema?.openAPIV3Schema?.properties?.spec?.properties ?? {});
}

test("a definition for a manifest contains the address of its webhook", () => {
  const service = { namespace: "web", name: "websites", path: "/convert" };
  const { spec } = Websites.toCustomResourceDefinition({ webhook: { service, caBundle: "Q0E=" } });
  expect(spec.conversion).toEqual({
    strategy: "Webhook",
    webhook: { clientConfig: { service, caBundle: "Q0E=" }, conversionReviewVersions: ["v1"] },
  });
});

test("versions that differ in nothing but their names need no webhook", () => {
  const spec = z.object({});
  const Plain = defineResource({
    ...name,
    versions: { v1: { spec, storage: true }, v1beta1: { spec, convert: "none" } },
  });
  expect(Plain.conversion.strategy).toBe("None");
  expect(Plain.toCustomResourceDefinition({ webhook: { url: "https://a" } }).spec.conversion).toEqual({
    strategy: "None",
  });
});

const metadata = {
  name: "docs",
  namespace: "web",
  uid: "1",
  resourceVersion: "2",
  creationTimestamp: "2030-01-02T03:04:05Z",
  labels: { app: "docs" },
};
const beta = {
  apiVersion: "example.dev/v1beta1",
  kind: "Website",
  metadata,
  spec: { image: "nginx", tag: "1" },
  status: { ready: true },
};
const annotated = { ...metadata, annotations: { "example.dev/from": "v1beta1" } };

test("the conversion states its kind and versions", () => {
  const { convert: _, ...facts } = conversion;
  expect(facts).toEqual({
    ...name,
    storageVersion: "v1",
    versions: ["v1", "v1beta1", "v1alpha1"],
    strategy: "Webhook",
  });
});

test.each([
  ["v1beta1", beta],
  [
    "v1",
    {
      ...beta,
      apiVersion: "example.dev/v1",
      metadata: annotated,
      spec: { images: ["nginx:1"], replicas: 1 },
      status: { ready: 1 },
    },
  ],
  [
    "v1alpha1",
    {
      ...beta,
      apiVersion: "example.dev/v1alpha1",
      metadata: annotated,
      spec: { images: ["nginx:1"], replicas: 1 },
      status: { ready: 1 },
    },
  ],
])(
  "an object is converted to %s through the storage version, and keeps its metadata",
  (version, expected) => {
    const before = structuredClone(beta);
    expect(conversion.convert(beta, version)).toEqual(expected);
    expect(beta).toEqual(before);
  },
);

test("metadata that a conversion may not change is kept", () => {
  const stored = conversion.convert(beta, "v1");
  expect(conversion.convert(stored, "v1beta1")).toEqual({ ...beta, metadata: annotated });
});

test.each<[string, unknown, string, string]>([
  ["a value that is no object", [], "v1", "expected an object of kind Website in example.dev, got array"],
  [
    "another kind",
    { ...beta, kind: "Shop" },
    "v1",
    "expected an object of kind Website in example.dev, got example.dev/v1beta1 Shop",
  ],
  [
    "another group",
    { ...beta, apiVersion: "apps/v1" },
    "v1",
    "expected an object of kind Website in example.dev, got apps/v1 Website",
  ],
  [
    "missing metadata",
    { ...beta, metadata: null },
    "v1",
    "expected an object of kind Website in example.dev, got one without metadata",
  ],
  [
    "an unknown version",
    { ...beta, apiVersion: "example.dev/v2" },
    "v1",
    "expected a version of Website in example.dev (v1, v1beta1, v1alpha1), got v2",
  ],
  [
    "an unknown target",
    beta,
    "v2",
    "expected a version of Website in example.dev (v1, v1beta1, v1alpha1), got v2",
  ],
])("%s is refused", (...[, object, version, message]) => {
  expect(() => conversion.convert(object, version)).toThrow(new ConversionError(message));
});

const cause = new TypeError("no images");

test.each<[string, (object: unknown) => unknown, string]>([
  [
    "throws",
    () => {
      throw cause;
    },
    "no images",
  ],
  ["returns nothing", () => undefined, "expected an object, got undefined"],
  ["is async", () => Promise.reject(cause), "expected an object, got a promise: a conversion is not async"],
])("a conversion that %s is an error with the object and the versions", (_, toStorage, message) => {
  const broken = defineResource({
    ...name,
    versions: {
      v1: { spec: z.object({}), storage: true },
      // Plain JavaScript may pass a function that returns something else.
      v1beta1: {
        spec: z.object({}),
        convert: { toStorage: toStorage as never, fromStorage: (object) => object },
      },
    },
  });
  const prefix = "conversion of Website web/docs from example.dev/v1beta1 to example.dev/v1 failed";
  expect(() => broken.conversion.convert(beta, "v1")).toThrow(new ConversionError(`${prefix}: ${message}`));
});

test("all problems of all versions are reported at once, with the version", () => {
  const spec = z.object({ when: z.date() });
  // Plain JavaScript may pass declarations that the types do not allow.
  const definition = {
    ...name,
    versions: {
      v1: { spec, storage: true, convert: "none" },
      V2: { spec: z.object({}), storage: true },
      v1beta1: { spec: z.object({}), convert: { toStorage: () => ({}) }, selectableFields: [".spec.a"] },
      v1alpha1: { spec: z.object({}), deprecated: "a\nb" },
      conversion: { spec: z.object({}), convert: "none" },
    },
  } as const;
  expect(problemsOf(() => defineResource(definition as never))).toEqual([
    { field: "versions.V2", reason: 'expected lower case letters and digits, such as v1, got "V2"' },
    { field: "versions", reason: "expected exactly one version with storage: true, got v1 and V2" },
    { field: "versions.v1.convert", reason: "the stored version is not converted: remove convert" },
    { field: "versions.v1.spec.when", reason: "JSON has no date; use a string, such as z.iso.datetime()" },
    {
      field: "versions.v1beta1.convert",
      reason: 'expected { toStorage, fromStorage } or "none", got { toStorage }',
    },
    {
      field: "versions.v1beta1.selectableFields[0]",
      reason: 'Invalid value: ".spec.a": is an invalid path: does not refer to a valid field',
    },
    {
      field: "versions.v1alpha1.convert",
      reason: 'expected { toStorage, fromStorage } or "none", got undefined',
    },
    {
      field: "versions.v1alpha1.deprecated",
      reason:
        'Invalid value: "a\\nb": must only contain printable UTF-8 characters; ' +
        "non-printable character found at index 1",
    },
    { field: "versions.conversion.name", reason: "expected a name such as v1, got a reserved one" },
  ]);
});

test("a kind without a stored version is refused", () => {
  const definition = { ...name, versions: {} };
  expect(problemsOf(() => defineResource(definition as never))).toEqual([
    { field: "versions", reason: "expected exactly one version with storage: true, got none" },
  ]);
});

function problemsOf(define: () => unknown): readonly Problem[] {
  try {
    define();
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

test("a cluster serves all versions, and converts only apiVersion without a webhook", async () => {
  const spec = z.object({ image: z.string() });
  const Sites = defineResource({
    ...name,
    versions: { v1: { spec, storage: true }, v1beta1: { spec, convert: "none", deprecated: true } },
  });
  await using cluster = await startCluster({ kinds: [Sites] });
  await cluster.client.create(Sites.v1beta1, { metadata: { name: "docs" }, spec: { image: "nginx" } });
  expect((await cluster.client.get(Sites.v1, "docs"))?.spec).toEqual({ image: "nginx" });
});
