import { isTrue } from "../../api/index.ts";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
} from "../../api/types/apiextensions/v1.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { nameProblems } from "../validation/name-rules.ts";
import { conversionErrors } from "./conversion-errors.ts";
import { ownParts, partErrors, sharedParts, versionErrors } from "./version-errors.ts";

/** Returns the validation errors of a definition, with the order and the messages of kube-apiserver. */
export function definitionErrors(crd: CustomResourceDefinition): FieldError[] {
  const { spec } = crd;
  return [
    ...specErrors({ ...spec, versions: spec.versions ?? [] }, (spec.versions ?? null) === null),
    ...storedVersionErrors(crd),
    ...approvalErrors(crd),
    ...(spec.preserveUnknownFields ? [preserveUnknownFieldsError] : []),
  ];
}

/**
 * Returns an error if the name of a definition is not `<plural>.<group>`. It runs on create only: both parts are
 * immutable.
 */
export function definitionNameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  // A missing name is reported elsewhere.
  if (!metadata.name || metadata.name === `${spec.names.plural}.${spec.group}`) return [];
  return [invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

/**
 * Returns the errors for changes of immutable fields: group and plural always, scope and kind once the definition is
 * established.
 */
export function definitionUpdateErrors(
  { spec }: CustomResourceDefinition,
  before: CustomResourceDefinition,
): FieldError[] {
  const oldSpec = before.spec;
  const pairs = [
    ["spec.scope", spec.scope, oldSpec.scope],
    ["spec.names.kind", spec.names.kind, oldSpec.names.kind],
    ["spec.group", spec.group, oldSpec.group],
    ["spec.names.plural", spec.names.plural, oldSpec.names.plural],
  ] as const;
  return pairs
    .slice(isTrue(before.status?.conditions, "Established") ? 0 : 2)
    .filter(([, next, old]) => next !== old)
    .map(([field, next]) => invalid(field, next, "field is immutable"));
}

const preserveUnknownFieldsError = invalid(
  "spec.preserveUnknownFields",
  true,
  "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
);

/** @param noVersions True if `spec.versions` is missing. Go prints a missing list differently from an empty one. */
function specErrors(spec: CustomResourceDefinitionSpec, noVersions: boolean): FieldError[] {
  const shared = sharedParts(spec.versions);
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...missingSchemas(spec),
    ...spec.versions.flatMap((version, index) => versionErrors(version, { index, shared })),
    ...versionListErrors(spec, noVersions),
    ...namesErrors(spec.names),
    ...partErrors(shared, { path: "spec", schemaPath: "spec.validation" }),
    ...conversionErrors(spec),
  ];
}

function groupErrors(group: string): FieldError[] {
  if (group === "") return [required("spec.group")];
  const problems = nameProblems("dns-subdomain", group);
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  return group.includes(".")
    ? []
    : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === "") return [required("spec.scope")];
  if (scope === "Cluster" || scope === "Namespaced") return [];
  return [notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function missingSchemas({ versions }: CustomResourceDefinitionSpec): FieldError[] {
  return versions.flatMap(({ schema }, index) =>
    schema?.openAPIV3Schema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
}

function versionListErrors({ versions }: CustomResourceDefinitionSpec, noVersions: boolean): FieldError[] {
  // Go prints the fields in the order of their declaration, so the value is printed here.
  const printed = JSON.stringify(noVersions ? null : internalVersions(versions));
  const invalidVersions = (detail: string): FieldError =>
    invalid("spec.versions", undefined, `${printed}: ${detail}`);
  const names = versions.map(({ name }) => name);
  const errors: FieldError[] = [];
  if (new Set(names).size < names.length) errors.push(invalidVersions("must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(invalidVersions("must have exactly one version marked as storage version"));
  const [first] = names;
  const problems = first === undefined ? [] : nameProblems("dns-1035-label", first);
  if (problems.length > 0) errors.push(invalid("spec.version", first, problems.join(",")));
  return errors;
}

/** Returns the versions in kube-apiserver's internal form, which keeps shared parts out of the versions. */
function internalVersions(versions: CustomResourceDefinitionSpec["versions"]): unknown[] {
  const shared = sharedParts(versions);
  return versions.map((version) => {
    const own = ownParts(version, shared);
    return {
      Name: version.name,
      Served: version.served,
      Storage: version.storage,
      Deprecated: version.deprecated ?? false,
      DeprecationWarning: version.deprecationWarning ?? null,
      Schema: own.schema ?? null,
      Subresources: own.subresources ?? null,
      AdditionalPrinterColumns: own.additionalPrinterColumns ?? null,
      SelectableFields: own.selectableFields ?? null,
    };
  });
}

function namesErrors(names: CustomResourceDefinitionNames): FieldError[] {
  const { plural, singular = "", kind, listKind = "", shortNames, categories } = names;
  const all = { plural, singular, kind, listKind };
  const missing = Object.entries(all).filter(([, name]) => name === "");
  return [
    ...missing.map(([field]) => required(`spec.names.${field}`)),
    ...labelErrors("plural", [plural]),
    ...labelErrors("singular", [singular]),
    ...kindErrors("kind", kind),
    ...kindErrors("listKind", listKind),
    ...(shortNames ?? []).flatMap((name, index) => labelErrors(`shortNames[${index}]`, [name])),
    ...(kind !== "" && kind === listKind
      ? [invalid("spec.names.listKind", listKind, "kind and listKind may not be the same")]
      : []),
    ...(categories ?? []).flatMap((name, index) => labelErrors(`categories[${index}]`, [name])),
  ];
}

function labelErrors(field: string, [name = ""]: readonly string[]): FieldError[] {
  const problems = name === "" && !field.endsWith("]") ? [] : nameProblems("dns-1035-label", name);
  return problems.length > 0 ? [invalid(`spec.names.${field}`, name, problems.join(","))] : [];
}

function kindErrors(field: string, name: string): FieldError[] {
  const problems = name === "" ? [] : nameProblems("dns-1035-label", name.toLowerCase());
  if (problems.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return [invalid(`spec.names.${field}`, name, detail)];
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const at = "status.storedVersions";
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0)
    return [invalid(at, status?.storedVersions ?? null, "must have at least one stored version")];
  const storage = spec.versions.findLast((version) => version.storage)?.name;
  const missing = storage !== undefined && !stored.includes(storage);
  const missingVersions = stored.flatMap((name, index) =>
    spec.versions.some((version) => version.name === name)
      ? []
      : [invalid(`${at}[${index}]`, name, missingVersionDetail(name))],
  );
  return [
    ...(missing ? [invalid(at, stored, `must have the storage version ${storage}`)] : []),
    ...missingVersions,
  ];
}

function missingVersionDetail(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
    `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
  );
}

const approval = "api-approved.kubernetes.io";
const enhancement = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Requires an approval annotation for groups of the Kubernetes project. */
function approvalErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group)) return [];
  const at = `metadata.annotations[${approval}]`;
  const annotation = metadata.annotations?.[approval];
  const rule = `protected groups must have approval annotation "${approval}"`;
  if (!annotation) return [required(at, `${rule}, ${enhancement}`)];
  if (annotation.startsWith("unapproved") || isUrl(annotation)) return [];
  return [
    invalid(
      at,
      annotation,
      `${rule} with either a URL or a reason starting with "unapproved", ${enhancement}`,
    ),
  ];
}

function isUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).host !== "";
}
