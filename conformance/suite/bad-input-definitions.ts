import { things, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

/** Returns a definition with this schema. */
function definition(namespace: string, schema: object): object {
  const group = `${namespace}.example.dev`;
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `oddities.${group}` },
    spec: { group, scope: "Namespaced", names: { plural: "oddities", kind: "Oddity" }, versions },
  };
}

const inSchema = "spec.validation.openAPIV3Schema";
const text = { type: "string" };

/** Schemas that are not structural, and the beginning of the first error. */
const schemas: ReadonlyArray<readonly [what: string, schema: object, errors: readonly string[]]> = [
  [
    "a pattern that is none",
    { type: "object", properties: { s: { type: "string", pattern: "(" } } },
    [
      `${inSchema}.properties[s].pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    ],
  ],
  [
    "a pattern that looks ahead",
    { type: "object", properties: { s: { type: "string", pattern: "(?=a)" } } },
    [
      `${inSchema}.properties[s].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``,
    ],
  ],
  [
    "a field without a type",
    { type: "object", properties: { u: {} } },
    [`${inSchema}.properties[u].type: Required value: must not be empty for specified object fields`],
  ],
  [
    "a root without a type",
    { properties: { s: text } },
    [`${inSchema}.type: Required value: must not be empty at the root`],
  ],
  [
    "a reference",
    { type: "object", properties: { c: { $ref: "x" } } },
    [`${inSchema}.properties[c].$ref: Forbidden: $ref is not supported`],
  ],
  [
    "items that are unique",
    { type: "object", properties: { d: { type: "array", uniqueItems: true, items: text } } },
    [
      `${inSchema}.properties[d].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
  ],
  [
    "properties beside additionalProperties",
    {
      type: "object",
      properties: { e: { type: "object", properties: { x: text }, additionalProperties: text } },
    },
    [
      `${inSchema}.properties[e].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
  ],
];

for (const [what, schema, errors] of schemas) {
  scenario(`a definition with ${what} is refused`, async ({ client, namespace, expect }) => {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions" as const;
    const response = await wire(client, `POST ${path}`, { body: definition(namespace, schema) });
    const { message, code } = response.body as { message: string; code: number };
    expect(code).toBe(422);
    for (const error of errors) expect(message).toContain(error);
  });
}

scenario("a pattern with catastrophic backtracking does not delay the response", async (stage) => {
  await using kind = await things(stage, [version("v1", { s: { type: "string", pattern: "^(a+)+$" } })]);
  const { client, expect } = stage;
  const stalling = `${"a".repeat(10_000)}!`;
  const response = await wire(client, `POST ${kind.path("v1")}`, { body: kind.thing("a", { s: stalling }) });
  const message = `Invalid value: "${stalling}": spec.s in body should match '^(a+)+$'`;
  expect(response.body).toMatchObject({
    code: 422,
    message: `Thing.${kind.group} "a" is invalid: spec.s: ${message}`,
    details: { causes: [{ reason: "FieldValueInvalid", message, field: "spec.s" }] },
  });
});

const bodies: ReadonlyArray<readonly [what: string, body: string, why: string]> = [
  [
    "that says no kind",
    '{"metadata":{"name":"x"}}',
    `Object 'Kind' is missing in '{"metadata":{"name":"x"}}' ({"metadata":{"name":"x"}})`,
  ],
  ["that is null", "null", "Object 'Kind' is missing in 'null' (6e756c6c)"],
  [
    "that is empty",
    "",
    "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
  ],
  ["that breaks off", "{", "couldn't get version/kind; json parse error: unexpected end of JSON input ({)"],
];

for (const [what, body, why] of bodies) {
  scenario(`a custom object ${what} is refused`, async (stage) => {
    await using kind = await things(stage, [version("v1", { s: text })]);
    const { client, expect } = stage;
    const response = await wire(client, `POST ${kind.path("v1")}`, { body });
    expect(response.body).toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: `the object provided is unrecognized (must be of type Thing): ${why}`,
    });
  });
}
