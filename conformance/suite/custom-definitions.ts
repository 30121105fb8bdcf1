import { setTimeout as sleep } from "node:timers/promises";
import { conditionOf } from "trimtab/api";
import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import type { Client } from "trimtab/client";
import { things, version } from "../defined.ts";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const text = { type: "string" };
const keyed = {
  type: "array",
  items: { type: "object", properties: { k: text } },
  "x-kubernetes-list-type": "map",
};

interface Draft {
  readonly spec?: object;
  readonly names?: object;
  readonly version?: object;
  readonly schema?: object;
}

/** Returns the server's causes for refusing a definition, without the surrounding message; empty if it is accepted. */
async function faultOf(client: Client, draft: Draft): Promise<string> {
  const group = "faults.example.dev";
  const schema = { openAPIV3Schema: draft.schema ?? { type: "object" } };
  const versions = [{ name: "v1", served: true, storage: true, schema, ...draft.version }];
  const names = { plural: "bads", kind: "Bad", ...draft.names };
  const spec = { group, scope: "Namespaced", names, versions, ...draft.spec };
  const body = { metadata: { name: `bads.${group}` }, spec };
  const response = await wire(client, `POST ${definitions}?dryRun=All`, { body });
  if (response.status === 201) return "";
  const [code, message] = statusMessage(response);
  const head = `CustomResourceDefinition.apiextensions.k8s.io "bads.${group}" is invalid: `;
  if (code !== 422 || !message.startsWith(head))
    throw new Error(`expected 422 ${head}, got ${code} ${message}`);
  return message.slice(head.length);
}

scenario("a schema that is not structural is refused", async ({ client, expect }) => {
  const faults: ReadonlyArray<readonly [object, string]> = [
    [{}, ".type: Required value: must not be empty for specified object fields"],
    [{ type: "array" }, ".items: Required value: must be specified"],
    [
      { type: "object", properties: { a: {} } },
      ".properties[a].type: Required value: must not be empty for specified object fields",
    ],
    [
      { type: "object", properties: { a: text }, additionalProperties: text },
      ".additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
    ],
    [{ type: "object", $ref: "#/x" }, ".$ref: Forbidden: $ref is not supported"],
    [
      { type: "string", pattern: "[" },
      '.pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
    ],
    [
      { type: "object", anyOf: [{ type: "object" }] },
      ".anyOf[0].type: Forbidden: must be empty to be structural",
    ],
    [
      { type: "array", items: text, uniqueItems: true },
      ".uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
    ],
  ];
  for (const [spec, fault] of faults) {
    const schema = { type: "object", properties: { spec } };
    expect(await faultOf(client, { schema })).toBe(
      `spec.validation.openAPIV3Schema.properties[spec]${fault}`,
    );
  }
});

scenario("Kubernetes extensions in a schema are validated", async ({ client, expect }) => {
  const faults: ReadonlyArray<readonly [object, string]> = [
    [
      { type: "object", "x-kubernetes-preserve-unknown-fields": false },
      ".x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined",
    ],
    [
      { type: "object", "x-kubernetes-embedded-resource": true },
      ".properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    ],
    [
      { type: "string", "x-kubernetes-list-type": "set" },
      '.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
    ],
    [
      { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "set" },
      ".items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set",
    ],
    [
      keyed,
      ".x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
    ],
    [
      { ...keyed, "x-kubernetes-list-map-keys": ["k"] },
      ".items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    ],
    [
      { type: "object", "x-kubernetes-map-type": "other" },
      '.x-kubernetes-map-type: Unsupported value: "other": supported values: "atomic", "granular"',
    ],
  ];
  for (const [spec, fault] of faults) {
    const schema = { type: "object", properties: { spec } };
    expect(await faultOf(client, { schema })).toBe(
      `spec.validation.openAPIV3Schema.properties[spec]${fault}`,
    );
  }
});

scenario("the root of a schema is an object without restrictions of metadata", async ({ client, expect }) => {
  const labels = { type: "object", properties: { labels: { type: "object" } } };
  const faults: ReadonlyArray<readonly [object, string]> = [
    [{}, ".type: Required value: must not be empty at the root"],
    [{ type: "string" }, '.type: Invalid value: "string": must be object at the root'],
    [{ type: "object", nullable: true }, ".nullable: Forbidden: nullable cannot be true at the root"],
    [
      { type: "object", additionalProperties: text },
      ".additionalProperties: Forbidden: must not be used at the root",
    ],
    [
      { type: "object", properties: { metadata: labels } },
      ".properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
    ],
  ];
  for (const [schema, fault] of faults) {
    expect(await faultOf(client, { schema })).toBe(`spec.validation.openAPIV3Schema${fault}`);
  }
});

scenario("a default must match its schema", async ({ client, expect }) => {
  const at = "spec.validation.openAPIV3Schema.properties[spec].default";
  const faultIn = (spec: object) => faultOf(client, { schema: { type: "object", properties: { spec } } });
  expect(await faultIn({ type: "integer", default: "x" })).toBe(
    `${at}: Invalid value: "string":  in body must be of type integer: "string"`,
  );
  expect(await faultIn({ type: "object", properties: { a: text }, default: { b: 1 } })).toBe(
    `${at}: Invalid value: {"b":1}: must not have unknown fields`,
  );
});

scenario(
  "names, scope, versions and subresources of a definition are validated",
  async ({ client, expect }) => {
    const label =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    const scale = { specReplicasPath: ".foo", statusReplicasPath: ".status.x" };
    const faults: ReadonlyArray<readonly [Draft, string]> = [
      [
        { spec: { scope: "Nope" } },
        'spec.scope: Unsupported value: "Nope": supported values: "Cluster", "Namespaced"',
      ],
      [
        { spec: { group: "nodot" } },
        '[metadata.name: Invalid value: "bads.faults.example.dev": must be spec.names.plural+"."+spec.group, spec.group: Invalid value: "nodot": should be a domain with at least one dot]',
      ],
      [
        { spec: { preserveUnknownFields: true } },
        "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ],
      [
        { names: { listKind: "Bad" } },
        'spec.names.listKind: Invalid value: "Bad": kind and listKind may not be the same',
      ],
      [{ version: { schema: undefined } }, "spec.versions[0].schema.openAPIV3Schema: Required value"],
      [
        { version: { name: "V1" } },
        `[spec.versions[0].name: Invalid value: "V1": ${label}, spec.version: Invalid value: "V1": ${label}]`,
      ],
      [
        { version: { additionalPrinterColumns: [{ name: "x", type: "nope", jsonPath: "a" }] } },
        '[spec.additionalPrinterColumns[0].type: Invalid value: "nope": must be one of boolean,date,integer,number,string, spec.additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json path starting with .]',
      ],
      [
        { version: { subresources: { scale } } },
        'spec.subresources.scale.specReplicasPath: Invalid value: ".foo": should be a json path under .spec',
      ],
      [
        { version: { selectableFields: [{ jsonPath: ".metadata.name" }] } },
        'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field',
      ],
      [
        { spec: { conversion: { strategy: "Nope" } } },
        'spec.conversion.strategy: Unsupported value: "Nope": supported values: "None", "Webhook"',
      ],
      [
        { spec: { conversion: { strategy: "Webhook" } } },
        "[spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook, spec.conversion.conversionReviewVersions: Required value]",
      ],
    ];
    for (const [draft, fault] of faults) expect(await faultOf(client, draft)).toBe(fault);
  },
);

scenario("exactly one version is the storage version", async ({ client, expect }) => {
  const fault = await faultOf(client, { version: { storage: false } });
  expect(fault).toMatch(
    /^\[spec\.versions: Invalid value: .*: must have exactly one version marked as storage version, /,
  );
});

scenario("missing fields of a definition are defaulted", async (stage) => {
  const { cluster, expect } = stage;
  await using made = await things(stage, [version("v1", {})]);
  const { spec } = (await cluster.client.get(CustomResourceDefinition, made.name)) ?? {};
  expect([spec?.names, spec?.conversion]).toEqual([
    { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
    { strategy: "None" },
  ]);
});

scenario("names of another definition are not accepted until it is deleted", async (stage) => {
  const { client, cluster, signal, expect } = stage;
  const first = await things(stage, [version("v1", {})], {
    names: { plural: "things", kind: "Thing", shortNames: ["th"] },
  });
  const { group } = first;
  const define = (plural: string, names: object) =>
    wire(client, `POST ${definitions}`, {
      body: {
        metadata: { name: `${plural}.${group}` },
        spec: { group, scope: "Namespaced", names: { plural, ...names }, versions: [version("v1", {})] },
      },
    });
  await define("kinds", { kind: "Thing" });
  await define("shorts", { kind: "Short", shortNames: ["th"] });
  await define("singles", { kind: "Single", singular: "things" });
  const conditions = async (plural: string) => {
    for (;;) {
      const { status } = (await cluster.client.get(CustomResourceDefinition, `${plural}.${group}`)) ?? {};
      if (conditionOf(status?.conditions, "Established")) return masked(status?.conditions);
      await sleep(50, undefined, { signal });
    }
  };
  const refused = (reason: string, name: string) => [
    {
      type: "NamesAccepted",
      status: "False",
      lastTransitionTime: "<time>",
      reason,
      message: `"${name}" is already in use`,
    },
    {
      type: "Established",
      status: "False",
      lastTransitionTime: "<time>",
      reason: "NotAccepted",
      message: "not all names are accepted",
    },
  ];
  expect(await conditions("kinds")).toEqual(refused("ListKindConflict", "ThingList"));
  expect(await conditions("shorts")).toEqual(refused("ShortNamesConflict", "th"));
  expect(await conditions("singles")).toEqual(refused("SingularConflict", "things"));
  expect((await wire(client, `GET ${first.path("v1").replace("things", "kinds") as "/"}`)).status).toBe(404);
  await first[Symbol.asyncDispose]();
  const accepted = async () => {
    const { status } = (await cluster.client.get(CustomResourceDefinition, `kinds.${group}`)) ?? {};
    return conditionOf(status?.conditions, "Established")?.status;
  };
  await expect.poll(accepted, { timeout: 20_000 }).toBe("True");
  for (const plural of ["kinds", "shorts", "singles"]) {
    await wire(client, `DELETE ${definitions}/${plural}.${group}`);
  }
});

scenario("the server owns the status of a definition, also while it is deleted", async (stage) => {
  const { cluster, client, expect } = stage;
  const made = await things(stage, [version("v1", { a: text })]);
  const path = `${definitions}/${made.name}` as const;
  const held = { ...made.thing("held", {}), metadata: { name: "held", finalizers: ["example.dev/hold"] } };
  await wire(client, `POST ${made.path("v1")}`, { body: held });
  const owned = async () => {
    const { metadata } = (await wire(cluster.client, `GET ${path}`)).body as CustomResourceDefinition;
    return masked(metadata.managedFields?.filter(({ subresource }) => subresource === "status"));
  };
  const accepted = {
    [condition("Established")]: wholeCondition,
    [condition("NamesAccepted")]: wholeCondition,
  };
  expect(await owned()).toEqual(ownStatus(accepted));
  await wire(cluster.client, `DELETE ${path}`);
  // The delete request itself adds the condition.
  const terminating = { [condition("Terminating")]: { "f:message": {}, "f:reason": {} } };
  await expect.poll(owned, { timeout: 20_000 }).toEqual(ownStatus({ ...accepted, ...terminating }));
  await wire(client, `PATCH ${made.path("v1")}/held`, { body: { metadata: { finalizers: null } } });
});

const condition = (type: string) => `k:{"type":"${type}"}`;

/** Managed fields of the server in a definition without short names. */
function ownStatus(conditions: object): object[] {
  const names = { "f:kind": {}, "f:listKind": {}, "f:plural": {}, "f:singular": {} };
  const writer = { manager: "kube-apiserver", operation: "Update", subresource: "status", time: "<time>" };
  const fieldsV1 = { "f:status": { "f:acceptedNames": names, "f:conditions": conditions } };
  return [{ ...writer, apiVersion: "apiextensions.k8s.io/v1", fieldsType: "FieldsV1", fieldsV1 }];
}

const wholeCondition = {
  ".": {},
  "f:lastTransitionTime": {},
  "f:message": {},
  "f:reason": {},
  "f:status": {},
  "f:type": {},
};

scenario("a terminating definition waits for its objects and accepts no new ones", async (stage) => {
  const { client, cluster, expect } = stage;
  const made = await things(stage, [version("v1", {})]);
  const path = made.path("v1");
  const metadata = { name: "held", finalizers: ["example.dev/hold"] };
  await wire(client, `POST ${path}`, { body: { ...made.thing("held", {}), metadata } });
  await wire(client, `POST ${path}`, { body: made.thing("free", {}) });
  const deleted = (await wire(client, `DELETE ${definitions}/${made.name}`)).body as CustomResourceDefinition;
  expect(deleted.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
  const terminating = async () => {
    const { status } = (await cluster.client.get(CustomResourceDefinition, made.name)) ?? {};
    return conditionOf(status?.conditions, "Terminating")?.reason;
  };
  await expect.poll(terminating, { timeout: 20_000 }).toBe("InstanceDeletionInProgress");
  expect(statusMessage(await wire(client, `POST ${path}`, { body: made.thing("late", {}) }))).toEqual([
    403,
    `things.${made.group} "late" is forbidden: create not allowed while custom resource definition is terminating`,
  ]);
  const left = async () => {
    const { items } = (await wire(client, `GET ${path}`)).body as { items: Array<typeof deleted> };
    return items.map((one) => [one.metadata.name, one.metadata.deletionTimestamp !== undefined]);
  };
  await expect.poll(left, { timeout: 20_000 }).toEqual([["held", true]]);
  await wire(client, `PATCH ${path}/held`, { body: { metadata: { finalizers: null } } });
  const gone = async () => (await wire(client, `GET ${definitions}/${made.name}`)).status;
  await expect.poll(gone, { timeout: 30_000 }).toBe(404);
});

scenario("an established definition keeps its scope and kind", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {})]);
  const change = async (spec: object) => {
    const [code, message] = statusMessage(
      await wire(client, `PATCH ${definitions}/${made.name}`, { body: { spec } }),
    );
    return [code, message.replace(/^.* is invalid: /, "")];
  };
  expect(await change({ scope: "Cluster" })).toEqual([
    422,
    'spec.scope: Invalid value: "Cluster": field is immutable',
  ]);
  expect(await change({ names: { kind: "Other" } })).toEqual([
    422,
    'spec.names.kind: Invalid value: "Other": field is immutable',
  ]);
});
