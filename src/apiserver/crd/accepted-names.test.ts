import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";
import { widgetDefinition } from "./widget-definition.fixture.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function definitionWithNames(plural: string, kind: string, shortNames?: string[]): unknown {
  const { spec, ...crd } = widgetDefinition();
  const names = { plural, kind, ...(shortNames && { shortNames }) };
  return { ...crd, metadata: { name: `${plural}.example.dev` }, spec: { ...spec, names } };
}

const lastTransitionTime = "2026-01-01T00:00:00Z";

test("a kind that another definition uses is not accepted", async () => {
  using api = testServer();
  await api.object("POST", definitions, definitionWithNames("foos", "Foo"));
  await api.object("POST", definitions, definitionWithNames("bars", "Foo"));
  const { status } = await api.object("GET", `${definitions}/bars.example.dev`);
  expect(status).toEqual({
    conditions: [
      {
        type: "NamesAccepted",
        status: "False",
        lastTransitionTime,
        reason: "ListKindConflict",
        message: '"FooList" is already in use',
      },
      {
        type: "Established",
        status: "False",
        lastTransitionTime,
        reason: "NotAccepted",
        message: "not all names are accepted",
      },
    ],
    acceptedNames: { plural: "bars", kind: "" },
    storedVersions: ["v1"],
  });
});

test("conflicting short names are rejected together, and the other names are accepted", async () => {
  using api = testServer();
  await api.object("POST", definitions, definitionWithNames("foos", "Foo", ["f", "g"]));
  await api.object("POST", definitions, definitionWithNames("bars", "Bar", ["f", "g"]));
  const { status } = await api.object("GET", `${definitions}/bars.example.dev`);
  expect(status).toMatchObject({
    conditions: [
      { reason: "ShortNamesConflict", message: '["f" is already in use, "g" is already in use]' },
      { reason: "NotAccepted" },
    ],
    acceptedNames: { plural: "bars", singular: "bar", kind: "Bar", listKind: "BarList" },
  });
});

test("a name is accepted for a waiting definition once the definition that used it is deleted", async () => {
  using api = testServer();
  await api.object("POST", definitions, definitionWithNames("foos", "Foo"));
  await api.object("POST", definitions, definitionWithNames("bars", "Foo"));
  await api.object("DELETE", `${definitions}/foos.example.dev`);
  const { status } = await api.object("GET", `${definitions}/bars.example.dev`);
  expect(status).toMatchObject({
    conditions: [{ reason: "NoConflicts" }, { reason: "InitialNamesAccepted" }],
    acceptedNames: { plural: "bars", singular: "foo", kind: "Foo", listKind: "FooList" },
  });
});
