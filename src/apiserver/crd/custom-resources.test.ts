import { expect, test } from "vitest";
import type { JSONSchemaProps } from "../../api/types/apiextensions/v1.ts";
import { testServer } from "../requests.fixture.ts";
import { widgetDefinition } from "./widget-definition.fixture.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/example.dev/v1/namespaces/default/widgets";

/** The apiVersion and kind of every Widget. */
const widget = { apiVersion: "example.dev/v1", kind: "Widget" };

test("creating a definition returns it as sent, and the next read returns it established", async () => {
  using api = testServer();
  const created = await api.object("POST", definitions, widgetDefinition());
  expect(created.status).toEqual({
    conditions: null,
    acceptedNames: { plural: "", kind: "" },
    storedVersions: ["v1"],
  });
  const current = await api.object("GET", `${definitions}/widgets.example.dev`);
  expect(current.status).toEqual({
    conditions: [
      {
        type: "NamesAccepted",
        status: "True",
        lastTransitionTime: "2026-01-01T00:00:00Z",
        reason: "NoConflicts",
        message: "no conflicts found",
      },
      {
        type: "Established",
        status: "True",
        lastTransitionTime: "2026-01-01T00:00:00Z",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      },
    ],
    acceptedNames: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    storedVersions: ["v1"],
  });
});

test("custom objects are pruned and defaulted", async () => {
  using api = testServer();
  await api.object("POST", definitions, widgetDefinition());
  const body = {
    ...widget,
    metadata: { name: "a" },
    spec: { colour: "red", shape: "round" },
    status: { seen: 1 },
  };
  const { kind, apiVersion, spec, status } = await api.object("POST", widgets, body);
  expect({ kind, apiVersion, spec, status }).toEqual({
    kind: "Widget",
    apiVersion: "example.dev/v1",
    spec: { colour: "red", size: 1 },
    status: undefined,
  });
});

test("custom objects are validated by the schema of their definition", async () => {
  using api = testServer();
  await api.object("POST", definitions, widgetDefinition());
  const broken = { ...widget, metadata: { name: "a" }, spec: { size: 0, colour: "green", tags: ["x", "x"] } };
  const { message, code } = await api.refusal("POST", widgets, broken);
  expect({ code, message }).toEqual({
    code: 422,
    message:
      'Widget.example.dev "a" is invalid: [' +
      'spec.colour: Unsupported value: "green": supported values: "red", "blue", ' +
      "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1, " +
      'spec.tags[1]: Duplicate value: "x"]',
  });
});

test("deleting a definition deletes its objects and stops serving the kind", async () => {
  using api = testServer();
  await api.object("POST", definitions, widgetDefinition());
  await api.object("POST", widgets, { ...widget, metadata: { name: "a" } });
  const watch = await api.watch(`${widgets}?watch=1`);
  await api.object("DELETE", `${definitions}/widgets.example.dev`);
  expect((await watch.events()).map(({ type }) => type)).toEqual(["ADDED", "DELETED"]);
  expect(watch.ended).toBe(true);
  expect((await api.send("GET", widgets)).body).toBe("404 page not found\n");
  expect((await api.refusal("GET", `${definitions}/widgets.example.dev`)).code).toBe(404);
});

test("finalizers of custom objects delay the deletion of their definition, and creates are rejected meanwhile", async () => {
  using api = testServer();
  await api.object("POST", definitions, widgetDefinition());
  await api.object("POST", widgets, { ...widget, metadata: { name: "a", finalizers: ["example.dev/hold"] } });
  await api.object("DELETE", `${definitions}/widgets.example.dev`);
  const held = await api.object("GET", `${definitions}/widgets.example.dev`);
  expect(held.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
  expect((held.status as { conditions: unknown[] }).conditions.at(-1)).toEqual({
    type: "Terminating",
    status: "True",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  });
  const { code, message } = await api.refusal("POST", widgets, { ...widget, metadata: { name: "b" } });
  expect({ code, message }).toEqual({
    code: 403,
    message:
      'widgets.example.dev "b" is forbidden: create not allowed while custom resource definition is terminating',
  });
  const release = [{ op: "remove", path: "/metadata/finalizers" }];
  const headers = { "content-type": "application/json-patch+json" };
  await api.send("PATCH", `${widgets}/a`, { body: release, headers });
  expect((await api.refusal("GET", `${definitions}/widgets.example.dev`)).code).toBe(404);
});

test("an object read in another version has only the fields that version declares, and none of its defaults", async () => {
  using api = testServer();
  const crd = widgetDefinition();
  const text = { type: "string" };
  const later = { s: text, t: { ...text, default: "T" } };
  const schema = (properties: Record<string, JSONSchemaProps>) => ({
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
  });
  crd.spec.versions = [
    { name: "v1", served: true, storage: true, schema: schema({ s: text, u: text }) },
    { name: "v2", served: true, storage: false, schema: schema(later) },
  ];
  await api.object("POST", definitions, crd);
  await api.object("POST", widgets, { ...widget, metadata: { name: "a" }, spec: { s: "x", u: "U" } });
  const { apiVersion, spec } = await api.object("GET", `${widgets.replace("v1", "v2")}/a`);
  expect({ apiVersion, spec }).toEqual({ apiVersion: "example.dev/v2", spec: { s: "x" } });
});

test("custom objects are selected by the selectable fields of their definition only", async () => {
  using api = testServer();
  const crd = widgetDefinition();
  const [version] = crd.spec.versions;
  if (version) version.selectableFields = [{ jsonPath: ".spec.colour" }];
  await api.object("POST", definitions, crd);
  for (const colour of ["red", "blue"])
    await api.object("POST", widgets, { ...widget, metadata: { name: colour }, spec: { colour } });
  const { items } = await api.list(`${widgets}?fieldSelector=spec.colour%3Dred`);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["red"]);
  const { code, message } = await api.refusal("GET", `${widgets}?fieldSelector=spec.size%3D1`);
  expect({ code, message }).toEqual({ code: 400, message: "field label not supported: spec.size" });
});

test("a definition with validation rules is accepted with a warning that the rules are not evaluated", async () => {
  using api = testServer();
  const crd = widgetDefinition();
  const schema = crd.spec.versions[0]?.schema?.openAPIV3Schema;
  Object.assign(schema ?? {}, { "x-kubernetes-validations": [{ rule: "self.spec.size > 0" }] });
  const { code, headers } = await api.send("POST", definitions, { body: crd });
  expect({ code, warning: headers.warning }).toEqual({
    code: 201,
    warning: [
      '299 - "spec.versions[0].schema.openAPIV3Schema has x-kubernetes-validations, which this server stores but does not evaluate"',
    ],
  });
});

test("a definition with a conversion webhook is accepted with a warning that the webhook is not called", async () => {
  using api = testServer();
  const crd = widgetDefinition();
  const clientConfig = { url: "https://example.dev/convert" };
  crd.spec.conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  const { code, headers } = await api.send("POST", definitions, { body: crd });
  expect({ code, warning: headers.warning }).toEqual({
    code: 201,
    warning: [
      '299 - "spec.conversion has a webhook, which this server does not call: only apiVersion is converted"',
    ],
  });
});

test("protobuf sent to a custom kind is refused, and the server goes on", async () => {
  using api = testServer();
  await api.object("POST", definitions, widgetDefinition());
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  const { code, body } = await api.send("POST", widgets, { body: "k8s\0\n\0", headers });
  expect([code, body]).toEqual([
    415,
    expect.objectContaining({ kind: "Status", reason: "UnsupportedMediaType" }),
  ]);
  expect(await api.list(widgets)).toMatchObject({ items: [] });
});
