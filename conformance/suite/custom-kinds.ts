import { apiVersionOf, kind, metadataOnly } from "trimtab/api";
import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { connect, UnknownKindError } from "trimtab/client";
import { changed, lean } from "../expected-event.ts";
import { firstOf } from "../first-of.ts";
import { managersOf, masked } from "../masked.ts";
import { raw } from "../raw.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { widgets } from "../widgets.ts";

scenario("objects of a custom kind can be created, read, listed, watched and deleted", async (stage) => {
  const { client, namespace, signal, expect } = stage;
  await using defined = await widgets(stage);
  const { Widget } = defined;
  const created = await client.create(Widget, { metadata: { name: "a" }, spec: { colour: "red" } });
  expect(masked(created)).toEqual({
    apiVersion: apiVersionOf(Widget),
    kind: "Widget",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      generation: 1,
      creationTimestamp: "<time>",
    },
    spec: { colour: "red", size: 1 },
  });
  expect(await client.get(Widget, "a")).toEqual(created);
  expect(await client.get(Widget, "none")).toBeUndefined();
  expect(await client.list(Widget)).toEqual([lean(created)]);
  expect(await firstOf(1, client.watch(Widget, { signal }))).toEqual([changed("added", created)]);
  await client.delete(Widget, created);
  expect(await client.list(Widget)).toEqual([]);
});

scenario("the response to a new definition has no conditions yet", async (stage) => {
  const { expect } = stage;
  await using defined = await widgets(stage);
  expect(masked(defined.definition.status)).toEqual({
    acceptedNames: { kind: "", plural: "" },
    conditions: null,
    storedVersions: ["v1"],
  });
  const current = await stage.cluster.client.get(CustomResourceDefinition, defined.definition.metadata.name);
  expect(masked(current?.status)).toEqual({
    acceptedNames: {
      kind: "Widget",
      categories: ["all"],
      listKind: "WidgetList",
      plural: "widgets",
      shortNames: ["wd"],
      singular: "widget",
    },
    conditions: [
      {
        status: "True",
        type: "NamesAccepted",
        reason: "NoConflicts",
        message: "no conflicts found",
        lastTransitionTime: "<time>",
      },
      {
        status: "True",
        type: "Established",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
        lastTransitionTime: "<time>",
      },
    ],
    storedVersions: ["v1"],
  });
});

scenario("an undefined kind is unknown, with the served kinds in the error", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  const gadget = kind({ group: defined.group, version: "v1", kind: "Gadget" });
  await expect(client.get(gadget, "a")).rejects.toThrow(
    new UnknownKindError(
      `expected the server to serve Gadget in ${defined.group}/v1, got only Widget; ` +
        "is its CustomResourceDefinition installed?",
    ),
  );
  const later = kind({ group: defined.group, version: "v2", kind: "Widget" });
  await expect(client.get(later, "a")).rejects.toThrow(
    new UnknownKindError(
      `expected the server to serve Widget in ${defined.group}/v2, got no such group and version; ` +
        "is its CustomResourceDefinition installed?",
    ),
  );
});

scenario("schema rules are enforced, and each violation is a cause", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  const broken = client.create(defined.Widget, { metadata: { name: "a" }, spec: { size: 0 } });
  expect(await refusal(broken)).toEqual({
    code: 422,
    reason: "Invalid",
    message: `Widget.${defined.group} "a" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1`,
    details: {
      kind: "Widget",
      name: "a",
      group: defined.group,
      causes: [
        {
          reason: "FieldValueInvalid",
          message: "Invalid value: 0: spec.size in body should be greater than or equal to 1",
          field: "spec.size",
        },
      ],
    },
  });
});

scenario("a value outside an enum is refused with the allowed values", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  const broken = client.create(defined.Widget, { metadata: { name: "a" }, spec: { colour: "green" } });
  expect(await refusal(broken)).toEqual({
    code: 422,
    reason: "Invalid",
    message: `Widget.${defined.group} "a" is invalid: spec.colour: Unsupported value: "green": supported values: "red", "blue"`,
    details: {
      kind: "Widget",
      name: "a",
      group: defined.group,
      causes: [
        {
          reason: "FieldValueNotSupported",
          message: 'Unsupported value: "green": supported values: "red", "blue"',
          field: "spec.colour",
        },
      ],
    },
  });
});

scenario("a field of the wrong type is refused by the schema", async (stage) => {
  const { client, namespace, expect } = stage;
  await using defined = await widgets(stage);
  const path = `/apis/${defined.group}/v1/namespaces/${namespace}/widgets`;
  const body = JSON.stringify({
    apiVersion: `${defined.group}/v1`,
    kind: "Widget",
    metadata: { name: "a" },
    spec: { size: "large" },
  });
  expect(await raw(client, path, { method: "POST", body })).toEqual({
    status: 422,
    body: {
      status: "Failure",
      code: 422,
      reason: "Invalid",
      message: `Widget.${defined.group} "a" is invalid: [spec.size: Invalid value: "string": spec.size in body must be of type integer: "string", .spec.size: Invalid value: 0: .spec.size accessor error: large is of the type string, expected int64]`,
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      details: {
        kind: "Widget",
        name: "a",
        group: defined.group,
        causes: [
          {
            reason: "FieldValueTypeInvalid",
            message: 'Invalid value: "string": spec.size in body must be of type integer: "string"',
            field: "spec.size",
          },
          {
            reason: "FieldValueInvalid",
            message:
              "Invalid value: 0: .spec.size accessor error: large is of the type string, expected int64",
            field: ".spec.size",
          },
        ],
      },
    },
  });
});

scenario("unknown fields are pruned, or refused with fieldValidation Strict", async (stage) => {
  const { client, namespace, cluster, expect } = stage;
  await using defined = await widgets(stage);
  const warnings: string[] = [];
  const { kubeconfig } = cluster;
  await using warned = await connect({ kubeconfig, namespace, onWarning: (text) => warnings.push(text) });
  const spec = { size: 2, shape: "round" };
  const pruned = await warned.create(defined.Widget, { metadata: { name: "a" }, spec });
  expect(pruned.spec).toEqual({ size: 2 });
  expect(warnings).toEqual(['unknown field "spec.shape"']);
  const strict = { fieldValidation: "Strict" } as const;
  expect(await refusal(client.create(defined.Widget, { metadata: { name: "b" }, spec }, strict))).toEqual({
    code: 400,
    reason: "BadRequest",
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.shape"',
  });
});

scenario("an update of a custom object needs a resourceVersion", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  const created = await client.create(defined.Widget, { metadata: { name: "a" } });
  const { resourceVersion: _, ...metadata } = created.metadata;
  const versionless = { ...created, metadata: { ...metadata, resourceVersion: "" } };
  const { code, reason, message } = await refusal(client.update(defined.Widget, versionless));
  expect({ code, reason, message }).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      `widgets.${defined.group} "a" is invalid: metadata.resourceVersion: Invalid value: 0: ` +
      "must be specified for an update",
  });
});

scenario("status and spec of a custom kind are written separately", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  const { Widget } = defined;
  const sent = { metadata: { name: "a" }, spec: { size: 2 }, status: { seen: 9 } };
  const created = await client.create(Widget, sent);
  expect(created.status).toBeUndefined();
  const changed = { ...created, spec: { size: 9 }, status: { seen: 1 } };
  const updated = await client.update(Widget, changed, { subresource: "status" });
  expect({ generation: updated.metadata.generation, spec: updated.spec, status: updated.status }).toEqual({
    generation: 1,
    spec: { size: 2 },
    status: { seen: 1 },
  });
  const applied = await client.applyStatus(Widget, created, { seen: 2 }, { force: true });
  expect(applied.status).toEqual({ seen: 2 });
  const resized = await client.patch(Widget, "a", { merge: { spec: { size: 3 }, status: { seen: 9 } } });
  expect({ generation: resized.metadata.generation, spec: resized.spec, status: resized.status }).toEqual({
    generation: 2,
    spec: { size: 3 },
    status: { seen: 2 },
  });
});

scenario("a custom kind can be scaled", async (stage) => {
  const { client, namespace, expect } = stage;
  await using defined = await widgets(stage);
  await client.create(defined.Widget, { metadata: { name: "a" }, spec: { size: 2 } });
  await client.applyStatus(defined.Widget, "a", { seen: 1 });
  const scale = client.subresource(defined.Widget, "a", "scale");
  expect(masked(await scale.get())).toEqual({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
    },
    spec: { replicas: 2 },
    status: { replicas: 1 },
  });
  await scale.patch({ merge: { spec: { replicas: 5 } } });
  expect((await client.get(defined.Widget, `${namespace}/a`))?.spec).toEqual({ size: 5 });
});

scenario("sets of a custom kind are applied value by value", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  const metadata = { name: "a" };
  const apply = (fieldManager: string, ...tags: string[]) =>
    client.apply(defined.Widget, { metadata, spec: { tags } }, { fieldManager });
  await apply("second", "x", "y");
  await apply("first", "z");
  const applied = await apply("second", "y");
  expect(applied.spec?.tags).toEqual(["y", "z"]);
  expect(managersOf(applied)).toEqual([
    {
      manager: "first",
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:tags": { 'v:"z"': {} } } },
      apiVersion: `${defined.group}/v1`,
    },
    {
      manager: "second",
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:tags": { 'v:"y"': {} } } },
      apiVersion: `${defined.group}/v1`,
    },
  ]);
});

scenario("a strategic merge patch of a custom kind is not supported", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  await client.create(defined.Widget, { metadata: { name: "a" } });
  const patch = client.patch(defined.Widget, "a", { strategic: { spec: { size: 2 } } });
  expect(await refusal(patch)).toEqual({
    code: 415,
    reason: "UnsupportedMediaType",
    message:
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
  });
});

scenario("objects of a custom kind can be read as metadata only, without discovery", async (stage) => {
  const { client, expect } = stage;
  await using defined = await widgets(stage);
  const created = await client.create(defined.Widget, { metadata: { name: "a" } });
  const partial = {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: created.metadata,
  };
  expect(await client.get(metadataOnly(defined.Widget), "a")).toEqual(partial);
  expect(await client.list(metadataOnly(defined.Widget))).toEqual([partial]);
});

scenario("deleting a definition deletes the kind and its objects", async (stage) => {
  const { client, cluster, signal, expect } = stage;
  await using defined = await widgets(stage);
  const { Widget, definition } = defined;
  await client.create(Widget, { metadata: { name: "a" } });
  const { name } = definition.metadata;
  await cluster.client.delete(CustomResourceDefinition, name);
  const fields = { "metadata.name": name };
  for await (const event of cluster.client.watch(CustomResourceDefinition, {
    fields,
    resourceVersion: definition.metadata.resourceVersion,
    signal,
  })) {
    if (event.type === "deleted") break;
  }
  const error = await refusal(untilRefused(() => client.list(Widget), signal));
  expect(error).toEqual({ code: 404, reason: "NotFound", message: '"404 page not found"' });
});

/** A server may serve a kind for a moment after its definition is deleted. */
async function untilRefused(call: () => Promise<unknown>, signal: AbortSignal): Promise<never> {
  for (;;) {
    signal.throwIfAborted();
    await call();
  }
}

scenario("an invalid definition is refused", async ({ namespace, cluster, expect }) => {
  const group = `${namespace}.example.dev`;
  const broken = cluster.client.create(CustomResourceDefinition, {
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{ name: "v1", served: true, storage: true }],
    },
  });
  const { code, reason, details } = await refusal(broken);
  expect({ code, reason, details }).toEqual({
    code: 422,
    reason: "Invalid",
    details: {
      kind: "CustomResourceDefinition",
      name: `gadgets.${group}`,
      group: "apiextensions.k8s.io",
      causes: [
        {
          reason: "FieldValueRequired",
          message: "Required value",
          field: "spec.versions[0].schema.openAPIV3Schema",
        },
      ],
    },
  });
});
