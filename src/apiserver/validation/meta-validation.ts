import type { ObjectMeta, OwnerReference } from "../../api/index.ts";
import { type FieldError, forbidden, GoStruct, invalid, required, tooLong } from "../../schema/index.ts";
import type { NameRule } from "../types/resource.ts";
import { labelValueProblems, nameProblems, qualifiedNameProblems } from "./name-rules.ts";

/** The rules by which metadata is validated. */
export interface MetaRules {
  readonly namespaced: boolean;
  readonly name: NameRule;
  /** True if finalizers need a domain, as those of built-in kinds do. */
  readonly qualifiedFinalizers: boolean;
}

/** Returns the validation errors of an object's metadata. */
export function metaErrors(metadata: ObjectMeta, rules: MetaRules): FieldError[] {
  return [
    ...nameErrors(metadata, rules.name),
    ...namespaceErrors(metadata, rules.namespaced),
    ...generationErrors(metadata),
    ...sharedErrors(metadata),
    ...finalizerErrors(metadata.finalizers ?? []),
    ...(rules.qualifiedFinalizers ? unqualifiedFinalizers(metadata) : []),
  ];
}

/** Returns the validation errors of the metadata at a path inside another object, which needs no name. */
export function embeddedMetaErrors(metadata: Partial<ObjectMeta>, path: string): FieldError[] {
  const named = { ...metadata, name: metadata.name || "none", namespace: metadata.namespace || "none" };
  // The rules do not read other fields.
  return metaErrors(named as ObjectMeta, embeddedRules).map((error) => ({
    ...error,
    field: error.field.replace(/^metadata/, path),
  }));
}

const embeddedRules: MetaRules = { namespaced: true, name: "path-segment", qualifiedFinalizers: false };

/** Returns the validation errors of a change of metadata. */
export function metaUpdateErrors(metadata: ObjectMeta, before: ObjectMeta): FieldError[] {
  return [
    ...(before.deletionTimestamp ? newFinalizers(metadata, before) : []),
    ...(metadata.resourceVersion ? [] : [missingVersion]),
    ...immutable.flatMap((field) => changedField(field, metadata, before)),
    ...sharedErrors(metadata),
  ];
}

const missingVersion = invalid("metadata.resourceVersion", "", "must be specified for an update");

const immutable = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const satisfies ReadonlyArray<keyof ObjectMeta>;

function changedField(
  field: (typeof immutable)[number],
  metadata: ObjectMeta,
  before: ObjectMeta,
): FieldError[] {
  if ((metadata[field] ?? "") === (before[field] ?? "")) return [];
  const absent = field === "name" || field === "namespace" || field === "uid" ? "" : null; // Go's empty value
  return [invalid(`metadata.${field}`, metadata[field] ?? absent, "field is immutable")];
}

/** Returns the errors that are checked on creation and on updates. */
function sharedErrors(metadata: ObjectMeta): FieldError[] {
  return [
    ...labelErrors(metadata.labels ?? {}, "metadata.labels"),
    ...annotationErrors(metadata.annotations ?? {}, "metadata.annotations"),
    ...ownerErrors(metadata.ownerReferences ?? []),
  ];
}

function nameErrors({ name, generateName }: ObjectMeta, rule: NameRule): FieldError[] {
  const prefix = generateName
    ? nameProblems(rule, generateName, true).map((problem) =>
        invalid("metadata.generateName", generateName, problem),
      )
    : [];
  if (!name) return [...prefix, required("metadata.name", "name or generateName is required")];
  return [...prefix, ...nameProblems(rule, name).map((problem) => invalid("metadata.name", name, problem))];
}

function namespaceErrors({ namespace }: ObjectMeta, namespaced: boolean): FieldError[] {
  if (!namespaced) return namespace ? [forbidden("metadata.namespace", "not allowed on this type")] : [];
  if (!namespace) return [required("metadata.namespace")];
  return nameProblems("dns-label", namespace).map((problem) =>
    invalid("metadata.namespace", namespace, problem),
  );
}

function generationErrors({ generation = 0 }: ObjectMeta): FieldError[] {
  return generation < 0
    ? [invalid("metadata.generation", generation, "must be greater than or equal to 0")]
    : [];
}

export function labelErrors(labels: Readonly<Record<string, string>>, field: string): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid(field, key, problem)),
    ...labelValueProblems(value).map((problem) => invalid(field, value, problem)),
  ]);
}

const maxAnnotationBytes = 256 * 1024;

export function annotationErrors(annotations: Readonly<Record<string, string>>, field: string): FieldError[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...entries.flatMap(([key]) =>
      qualifiedNameProblems(key.toLowerCase()).map((problem) => invalid(field, key, problem)),
    ),
    ...(bytes > maxAnnotationBytes ? [tooLong(field, maxAnnotationBytes)] : []),
  ];
}

function ownerErrors(owners: readonly OwnerReference[]): FieldError[] {
  const [first, second] = owners.filter(({ controller }) => controller);
  const errors = owners.flatMap(singleOwnerErrors);
  if (!first || !second) return errors;
  const both = `Only one reference can have Controller set to true. Found "true" in references for ${nameOf(first)} and ${nameOf(second)}`;
  return [...errors, invalid("metadata.ownerReferences", new GoStruct(owners.map(inGoOrder)), both)];
}

/** Returns the fields in the order in which Go prints them. */
function inGoOrder({ apiVersion, kind, name, uid, ...rest }: OwnerReference): OwnerReference {
  const { controller, blockOwnerDeletion } = rest;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

const nameOf = ({ kind, name }: OwnerReference): string => `${kind}/${name}`;

function singleOwnerErrors(owner: OwnerReference): FieldError[] {
  const missing = (["kind", "name", "uid"] as const).filter((field) => !owner[field]);
  return [
    ...(versionOf(owner.apiVersion) === ""
      ? [invalid("metadata.ownerReferences.apiVersion", owner.apiVersion ?? "", "version must not be empty")]
      : []),
    ...missing.map((field) =>
      invalid(`metadata.ownerReferences.${field}`, owner[field] ?? "", "must not be empty"),
    ),
    ...(owner.apiVersion === "v1" && owner.kind === "Event"
      ? [
          invalid(
            "metadata.ownerReferences",
            new GoStruct(inGoOrder(owner)),
            "/v1, Kind=Event is disallowed from being an owner",
          ),
        ]
      : []),
  ];
}

/** Returns the version, or an empty text for an invalid group and version. */
function versionOf(apiVersion: string | undefined): string {
  const parts = (apiVersion ?? "").split("/");
  return parts.length > 2 ? "" : (parts.at(-1) ?? "");
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const field = "metadata.finalizers";
  const errors = finalizers.flatMap((one) =>
    qualifiedNameProblems(one).map((problem) => invalid(field, one, problem)),
  );
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  if (!both) return errors;
  return [
    ...errors,
    invalid(field, finalizers, "finalizer orphan and foregroundDeletion cannot be both set"),
  ];
}

const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** Returns the errors of finalizers without a domain, for built-in kinds. */
export function unqualifiedFinalizers({ finalizers = [] }: ObjectMeta): FieldError[] {
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return finalizers.flatMap((one, at) =>
    one.includes("/") || standardFinalizers.has(one)
      ? []
      : [invalid(`metadata.finalizers[${at}]`, one, detail)],
  );
}

function newFinalizers(metadata: ObjectMeta, before: ObjectMeta): FieldError[] {
  const existing = new Set(before.finalizers ?? []);
  const added = (metadata.finalizers ?? []).filter((one) => !existing.has(one)).sort();
  if (added.length === 0) return [];
  const found = `[]string{${added.map((one) => JSON.stringify(one)).join(", ")}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`;
  return [forbidden("metadata.finalizers", detail)];
}
