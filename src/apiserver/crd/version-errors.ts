import type { CustomResourceDefinitionVersion } from "../../api/types/apiextensions/v1.ts";
import {
  type CrdSchema,
  columnErrors,
  deprecationErrors,
  equal,
  type FieldError,
  invalid,
  scalePathErrors,
  selectableFieldErrors,
  structuralErrors,
} from "../../schema/index.ts";
import { nameProblems } from "../validation/name-rules.ts";

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
    ...(scale ? scalePathErrors(scale, `${context.path}.subresources.scale`) : []),
    ...(parts.additionalPrinterColumns ?? []).flatMap((column, index) =>
      columnErrors(column, `${context.path}.additionalPrinterColumns[${index}]`),
    ),
    ...selectableFieldErrors(parts.selectableFields ?? [], `${context.path}.selectableFields`, versionSchema),
  ];
}
