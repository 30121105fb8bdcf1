import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from "../../api/types/apiextensions/v1.ts";
import {
  type CrdSchema,
  equal,
  type FieldError,
  invalid,
  required,
  structuralErrors,
} from "../../schema/index.ts";
import { nameProblems } from "../validation/name-rules.ts";
import { selectableFieldErrors } from "./selectable-field-errors.ts";

type Version = CustomResourceDefinitionVersion;

/** The parts that each version may have for itself, or all versions in common. */
export type Parts = Pick<
  Version,
  "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields"
>;

/** Returns the parts that are equal in all versions. kube-apiserver reports errors in them as errors of `spec`. */
export function sharedParts(versions: readonly Version[]): Parts {
  const [first, ...others] = versions;
  if (!first) return {};
  const { schema, subresources, additionalPrinterColumns, selectableFields } = first;
  const parts = { schema, subresources, additionalPrinterColumns, selectableFields };
  return Object.fromEntries(
    Object.entries(parts).filter(([name, part]) =>
      others.every((other) => equal(part ?? null, other[name as keyof Parts] ?? null)),
    ),
  );
}

/** Returns the parts of a version that differ between the versions. */
export function ownParts(version: Version, shared: Parts): Parts {
  const { schema, subresources, additionalPrinterColumns, selectableFields } = version;
  const parts = { schema, subresources, additionalPrinterColumns, selectableFields };
  return Object.fromEntries(Object.entries(parts).filter(([name]) => !shared[name as keyof Parts]));
}

export interface VersionContext {
  readonly index: number;
  /** The parts that are equal in all versions. Their errors are reported elsewhere. */
  readonly shared: Parts;
}

/** Returns the errors of one version, except those in shared parts. */
export function versionErrors(version: Version, { index, shared }: VersionContext): FieldError[] {
  const path = `spec.versions[${index}]`;
  const problems = nameProblems("dns-1035-label", version.name);
  return [
    ...(problems.length > 0 ? [invalid(`${path}.name`, version.name, problems.join(","))] : []),
    ...deprecationErrors(version, path),
    ...partErrors(ownParts(version, shared), { path, schemaPath: `${path}.schema`, ...version }),
  ];
}

export interface PartsContext extends Parts {
  readonly path: string;
  readonly schemaPath: string;
}

/** Returns the errors in the given parts. `context` may have further parts of the same version. */
export function partErrors(parts: Parts, context: PartsContext): FieldError[] {
  const status = (parts.subresources ?? context.subresources)?.status !== undefined;
  const { scale } = parts.subresources ?? {};
  // The definition is decoded, so the schema has the right type, but it may not be structural.
  const schema = parts.schema?.openAPIV3Schema as CrdSchema | undefined;
  const versionSchema = (parts.schema ?? context.schema)?.openAPIV3Schema as CrdSchema | undefined;
  return [
    ...(schema ? structuralErrors(schema, `${context.schemaPath}.openAPIV3Schema`, { status }) : []),
    ...(scale ? scaleErrors(scale, `${context.path}.subresources.scale`) : []),
    ...(parts.additionalPrinterColumns ?? []).flatMap((column, index) =>
      columnErrors(column, `${context.path}.additionalPrinterColumns[${index}]`),
    ),
    ...selectableFieldErrors(parts.selectableFields ?? [], `${context.path}.selectableFields`, versionSchema),
  ];
}

function deprecationErrors({ deprecated, deprecationWarning: text }: Version, path: string): FieldError[] {
  if (text === undefined || text === null) return [];
  const at = `${path}.deprecationWarning`;
  if (!deprecated) return [invalid(at, text, "can only be set for deprecated versions")];
  if (text === "") return [invalid(at, text, "must not be an empty string")];
  const firstControl = text.search(/\p{Cc}/u);
  return [
    ...(Buffer.byteLength(text) > 256 ? [invalid(at, text, "must be <= 256 characters long")] : []),
    ...(firstControl >= 0
      ? [invalid(at, text, `${printable}; non-printable character found at index ${firstControl}`)]
      : []),
  ];
}

const printable = "must only contain printable UTF-8 characters";

const types = "boolean,date,integer,number,string";
const formats = "byte,date,date-time,double,float,int32,int64,password";

function columnErrors(column: CustomResourceColumnDefinition, path: string): FieldError[] {
  const { name, type, format = "", jsonPath } = column;
  return [
    ...(name === "" ? [required(`${path}.name`)] : []),
    ...(type === "" ? [required(`${path}.type`, `must be one of ${types}`)] : []),
    ...(type !== "" && !types.split(",").includes(type)
      ? [invalid(`${path}.type`, type, `must be one of ${types}`)]
      : []),
    ...(format !== "" && !formats.split(",").includes(format)
      ? [invalid(`${path}.format`, format, `must be one of ${formats}`)]
      : []),
    ...(jsonPath === "" ? [required(`${path}.JSONPath`)] : pathErrors(jsonPath, `${path}.JSONPath`)),
  ];
}

function pathErrors(text: string, path: string): FieldError[] {
  return text.startsWith(".") ? [] : [invalid(path, text, "must be a simple json path starting with .")];
}

function scaleErrors(scale: CustomResourceSubresourceScale, path: string): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = "" } = scale;
  return [
    ...scalePathErrors(specReplicasPath, `${path}.specReplicasPath`, [".spec"]),
    ...scalePathErrors(statusReplicasPath, `${path}.statusReplicasPath`, [".status"]),
    ...(labelSelectorPath === ""
      ? []
      : scalePathErrors(labelSelectorPath, `${path}.labelSelectorPath`, [".spec", ".status"])),
  ];
}

function scalePathErrors(text: string, path: string, roots: readonly string[]): FieldError[] {
  if (text === "") return [required(path)];
  const errors = pathErrors(text, path);
  if (errors.length > 0 || roots.some((root) => text.startsWith(`${root}.`))) return errors;
  const either = roots.length > 1 ? "either " : "";
  return [invalid(path, text, `should be a json path under ${either}${roots.join(" or ")}`)];
}
