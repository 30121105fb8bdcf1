import { expect, test } from "vitest";
import { z } from "zod";
import {
  DefinitionError,
  defineResource,
  type Problem,
  type ResourceDefinition,
  type Schema,
} from "./index.ts";

const name = { group: "example.dev", version: "v1", kind: "Website" } as const;
const spec = z.object({
  domain: z.string(),
  replicas: z.int32().default(1),
  size: z.object({ min: z.int32(), max: z.int32() }).optional(),
});
const status = z.object({ replicas: z.int32(), selector: z.string() });
const scale = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".status.selector",
};

test("all options become part of the CustomResourceDefinition", () => {
  const Website = defineResource({
    ...name,
    spec,
    status,
    scale,
    categories: ["all", "web"],
    labels: { "app.kubernetes.io/name": "websites" },
    annotations: { "example.dev/Team": "web" },
    selectableFields: [".spec.domain", ".status.replicas"],
    columns: [
      { name: "Replicas", path: ".spec.replicas", type: "integer", format: "int32", priority: 1 },
      { name: "Domain", path: ".spec.domain", type: "string", description: "the domain" },
    ],
    rules: [
      { rule: "self.metadata.name != 'a'", message: "reserved", reason: "FieldValueForbidden" },
      { rule: "self.spec.replicas < 9", message: undefined, fieldPath: ".spec.replicas" },
    ],
  });
  const { metadata, spec: definition } = Website.toCustomResourceDefinition();
  expect(metadata).toEqual({
    name: "websites.example.dev",
    labels: { "app.kubernetes.io/name": "websites" },
    annotations: { "example.dev/Team": "web" },
  });
  expect(definition.names.categories).toEqual(["all", "web"]);
  const [version] = definition.versions;
  expect(version?.subresources).toEqual({ status: {}, scale });
  expect(version?.selectableFields).toEqual([{ jsonPath: ".spec.domain" }, { jsonPath: ".status.replicas" }]);
  expect(version?.additionalPrinterColumns).toEqual([
    { name: "Replicas", jsonPath: ".spec.replicas", type: "integer", format: "int32", priority: 1 },
    { name: "Domain", jsonPath: ".spec.domain", type: "string", description: "the domain" },
  ]);
  expect(version?.schema?.openAPIV3Schema?.["x-kubernetes-validations"]).toStrictEqual([
    { rule: "self.metadata.name != 'a'", message: "reserved", reason: "FieldValueForbidden" },
    { rule: "self.spec.replicas < 9", fieldPath: ".spec.replicas" },
  ]);
});

type Options = Partial<ResourceDefinition<typeof spec, typeof status>>;

test.each<[string, Options, readonly Problem[]]>([
  [
    "a category that is no label",
    { categories: ["all", "My Kinds"] },
    [
      {
        field: "categories[1]",
        reason: 'expected lower case letters and digits, such as all, got "My Kinds"',
      },
    ],
  ],
  [
    "a column without a path from the root",
    { columns: [{ name: "A", path: "spec.domain", type: "string" }] },
    [
      {
        field: "columns[0].path",
        reason: 'Invalid value: "spec.domain": must be a simple json path starting with .',
      },
    ],
  ],
  [
    "unknown types and formats of a column",
    // Plain JavaScript may pass other values than the types allow.
    { columns: [{ name: "", path: "", type: "object", format: "int8" } as never] },
    [
      { field: "columns[0].name", reason: "Required value" },
      {
        field: "columns[0].type",
        reason: 'Invalid value: "object": must be one of boolean,date,integer,number,string',
      },
      {
        field: "columns[0].format",
        reason: 'Invalid value: "int8": must be one of byte,date,date-time,double,float,int32,int64,password',
      },
      { field: "columns[0].path", reason: "Required value" },
    ],
  ],
  [
    "replicas outside of spec and status",
    { scale: { specReplicasPath: ".replicas", statusReplicasPath: "" } },
    [
      {
        field: "scale.specReplicasPath",
        reason: 'Invalid value: ".replicas": should be a json path under .spec',
      },
      { field: "scale.statusReplicasPath", reason: "Required value" },
    ],
  ],
  [
    "scale paths to missing fields and other types",
    {
      scale: {
        specReplicasPath: ".spec.domain",
        statusReplicasPath: ".status.count",
        labelSelectorPath: ".status.replicas",
      },
    },
    [
      {
        field: "scale.specReplicasPath",
        reason: "expected the path of a field of type integer, got .spec.domain (string)",
      },
      {
        field: "scale.statusReplicasPath",
        reason: "expected the path of a field of type integer, got .status.count (no field)",
      },
      {
        field: "scale.labelSelectorPath",
        reason: "expected the path of a field of type string, got .status.replicas (integer)",
      },
    ],
  ],
  [
    "selectable fields that are missing, repeated or no scalars",
    { selectableFields: [".spec.domain", ".spec.domain", ".spec.size", ".spec.color"] },
    [
      { field: "selectableFields[1]", reason: 'Duplicate value: ".spec.domain"' },
      {
        field: "selectableFields[2]",
        reason:
          'Invalid value: ".spec.size": must point to a field of type string, boolean or integer. ' +
          "Enum string fields and strings with formats are allowed.",
      },
      {
        field: "selectableFields[3]",
        reason: 'Invalid value: ".spec.color": is an invalid path: does not refer to a valid field',
      },
    ],
  ],
  [
    "a rule of the object without an expression, and one with an unknown path",
    { rules: [{ rule: "" }, { rule: "true", fieldPath: ".metadata.name" }] },
    [
      { field: "rules[0].rule", reason: "Required value: rule is not specified" },
      { field: "rules[1].fieldPath", reason: 'Invalid value: ".metadata.name": must be a valid path' },
    ],
  ],
  [
    "invalid labels and annotations of the definition",
    { labels: { "a b": "c", app: "-" }, annotations: { "/a": "" } },
    [
      {
        field: "labels",
        reason: 'expected a letter, digit, "-", "_" or "." in a label key at character 1 of "a b", got " "',
      },
      {
        field: "labels[app]",
        reason:
          'expected a letter or digit at the start and end of a label value at character 0 of "-", got "-"',
      },
      {
        field: "annotations",
        reason: 'expected a DNS subdomain before the / of a label key at character 0 of "/a", got nothing',
      },
    ],
  ],
  [
    "a protected group without approval",
    { group: "web.k8s.io" },
    [
      {
        field: "group",
        reason:
          'expected a group of your own, or the annotation api-approved.kubernetes.io with a URL or "unapproved, …", ' +
          'got "web.k8s.io"',
      },
    ],
  ],
  [
    "a kind whose list kind is too long",
    { kind: "W".repeat(60), plural: "websites" },
    [{ field: "kind", reason: `expected at most 59 characters, got "${"W".repeat(60)}"` }],
  ],
])("%s is refused with the path of the option", (_, options, problems) => {
  expect(problemsOf({ ...name, spec, status, ...options })).toEqual(problems);
});

test("a protected group with an approval is accepted", () => {
  for (const approval of [
    "unapproved, experimental",
    "https://github.com/kubernetes/enhancements/pull/1111",
  ]) {
    const annotations = { "api-approved.kubernetes.io": approval };
    expect(problemsOf({ ...name, group: "web.k8s.io", annotations, spec })).toEqual([]);
  }
});

function problemsOf(definition: ResourceDefinition<Schema, Schema>): readonly Problem[] {
  try {
    defineResource(definition);
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
