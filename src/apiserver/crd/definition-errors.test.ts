import { expect, test } from "vitest";
import type { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import { errorText } from "../../schema/index.ts";
import { definitionErrors, definitionNameErrors, definitionUpdateErrors } from "./definition-errors.ts";
import { widgetDefinition } from "./widget-definition.fixture.ts";

type Version = CustomResourceDefinition["spec"]["versions"][number];

/** Returns the errors of a valid definition after `change`. */
function errorsAfter(change: (spec: CustomResourceDefinition["spec"], version: Version) => void): string[] {
  const crd = definition();
  const [version] = crd.spec.versions;
  if (version) change(crd.spec, version);
  return definitionErrors(crd).map(errorText);
}

/** Returns a valid definition as it is validated: with its defaults and stored versions. */
function definition(): CustomResourceDefinition {
  const crd = widgetDefinition();
  Object.assign(crd.spec.names, { singular: "widget", listKind: "WidgetList" });
  return { ...crd, status: { storedVersions: ["v1"] } };
}

const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
  "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
  "'[a-z]([-a-z0-9]*[a-z0-9])?')";

test("a valid definition has no errors", () => {
  expect(errorsAfter(() => {})).toEqual([]);
  expect(definitionNameErrors(definition())).toEqual([]);
});

test("the name of a definition is its plural and its group", () => {
  const crd = { ...definition(), metadata: { name: "x" } } as CustomResourceDefinition;
  expect(definitionNameErrors(crd).map(errorText)).toEqual([
    'metadata.name: Invalid value: "x": must be spec.names.plural+"."+spec.group',
  ]);
});

test("the group must be a domain, and the scope Cluster or Namespaced", () => {
  const errors = errorsAfter((spec) => Object.assign(spec, { group: "dev", scope: "X" }));
  expect(errors).toEqual([
    'spec.group: Invalid value: "dev": should be a domain with at least one dot',
    'spec.scope: Unsupported value: "X": supported values: "Cluster", "Namespaced"',
  ]);
});

test("names must be DNS labels, and kinds in lower case too", () => {
  const names = { plural: "Foos", singular: "foo", kind: "1Foo", listKind: "1Foo", shortNames: ["A"] };
  expect(errorsAfter((spec) => Object.assign(spec, { names }))).toEqual([
    `spec.names.plural: Invalid value: "Foos": ${label}`,
    `spec.names.kind: Invalid value: "1Foo": may have mixed case, but should otherwise match: ${label}`,
    `spec.names.listKind: Invalid value: "1Foo": may have mixed case, but should otherwise match: ${label}`,
    `spec.names.shortNames[0]: Invalid value: "A": ${label}`,
    'spec.names.listKind: Invalid value: "1Foo": kind and listKind may not be the same',
  ]);
});

test("exactly one version is the storage version, and it is a stored version", () => {
  const versions =
    '[{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,' +
    '"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]';
  expect(errorsAfter((_, version) => Object.assign(version, { storage: false }))).toEqual([
    `spec.versions: Invalid value: ${versions}: must have exactly one version marked as storage version`,
  ]);
  const errors = errorsAfter((spec, version) => {
    version.storage = false;
    spec.versions.push({ ...version, name: "v2", storage: true });
  });
  expect(errors).toEqual(['status.storedVersions: Invalid value: ["v1"]: must have the storage version v2']);
});

test("errors in parts that all versions share are reported under spec", () => {
  const additionalPrinterColumns = [{ name: "a", type: "x", format: "y", jsonPath: "spec.a" }];
  const columns = "spec.additionalPrinterColumns[0]";
  const subresources = undefined;
  const errors = errorsAfter((_, version) =>
    Object.assign(version, { additionalPrinterColumns, schema: broken, subresources }),
  );
  expect(errors).toEqual([
    'spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
    `${columns}.type: Invalid value: "x": must be one of boolean,date,integer,number,string`,
    `${columns}.format: Invalid value: "y": must be one of byte,date,date-time,double,float,int32,int64,password`,
    `${columns}.JSONPath: Invalid value: "spec.a": must be a simple json path starting with .`,
  ]);
});

const broken = { openAPIV3Schema: { type: "string" } };

test("errors in parts of a single version are reported under that version", () => {
  const errors = errorsAfter((spec, version) => {
    const scale = { specReplicasPath: "", statusReplicasPath: ".spec.x", labelSelectorPath: ".metadata.x" };
    spec.versions.push({ ...version, name: "v2", storage: false, subresources: { scale }, schema: broken });
  });
  const scale = "spec.versions[1].subresources.scale";
  expect(errors).toEqual([
    'spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
    `${scale}.specReplicasPath: Required value`,
    `${scale}.statusReplicasPath: Invalid value: ".spec.x": should be a json path under .status`,
    `${scale}.labelSelectorPath: Invalid value: ".metadata.x": should be a json path under either .spec or .status`,
  ]);
});

test("selectable fields must be distinct scalar fields of the schema", () => {
  const paths = [".spec.colour", ".spec.colour", "", ".spec.tags", ".spec.none", "spec.colour"];
  const selectableFields = paths.map((jsonPath) => ({ jsonPath }));
  const scalars = "must point to a field of type string, boolean or integer";
  expect(errorsAfter((_, version) => Object.assign(version, { selectableFields }))).toEqual([
    'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.colour"',
    "spec.selectableFields[2].jsonPath: Required value",
    `spec.selectableFields[3].jsonPath: Invalid value: ".spec.tags": ${scalars}. Enum string fields and strings with formats are allowed.`,
    'spec.selectableFields[4].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field',
    'spec.selectableFields[5].jsonPath: Invalid value: "spec.colour": is an invalid path: expected [ or . but got: spec',
  ]);
});

test("a conversion webhook is required for strategy Webhook and forbidden otherwise", () => {
  expect(errorsAfter((spec) => Object.assign(spec, { conversion: { strategy: "Webhook" } }))).toEqual([
    "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
    "spec.conversion.conversionReviewVersions: Required value",
  ]);
  const webhook = { conversionReviewVersions: ["v1"], clientConfig: { url: "https://a.b" } };
  expect(errorsAfter((spec) => Object.assign(spec, { conversion: { strategy: "None", webhook } }))).toEqual([
    "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
    "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
  ]);
});

test("groups of the Kubernetes project need an approval annotation", () => {
  expect(errorsAfter((spec) => Object.assign(spec, { group: "x.k8s.io" }))).toEqual([
    "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval " +
      'annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ]);
});

test("kind and scope are immutable once a definition is established", () => {
  const before = definition();
  const after = definition();
  after.spec.scope = "Cluster";
  after.spec.names.kind = "Gadget";
  expect(definitionUpdateErrors(after, before)).toEqual([]);
  const conditions = [{ type: "Established", status: "True" }];
  const established = { ...before, status: { ...before.status, conditions } };
  expect(definitionUpdateErrors(after, established).map(errorText)).toEqual([
    'spec.scope: Invalid value: "Cluster": field is immutable',
    'spec.names.kind: Invalid value: "Gadget": field is immutable',
  ]);
});
