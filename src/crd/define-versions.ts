import { type Conversion, type Converters, conversionOf } from "./conversion.ts";
import { declaredKind, declaredVersion } from "./declared.ts";
import { type DeclaredVersion, type Definition, definitionOf } from "./definition.ts";
import { DefinitionError } from "./definition-error.ts";
import { isRecord } from "./json-schema.ts";
import { nameProblems } from "./name-problems.ts";
import type { Problem } from "./place.ts";
import { resourceOf } from "./resource.ts";
import type { KindOptions, VersionOptions } from "./resource-definition.ts";
import type { Schema } from "./schema.ts";
import type { DefinitionOptions, VersionedResource, VersionState } from "./versioned-definition.ts";

/** A version as it was declared, without the types of its objects. */
export interface GivenVersion extends VersionState, VersionOptions<Schema, Schema> {
  readonly storage?: unknown;
  readonly convert?: unknown;
}

/** The declaration of a kind with several versions, without the types of its objects. */
export interface GivenVersions extends KindOptions {
  readonly versions: Readonly<Record<string, GivenVersion>>;
}

/** Declares a kind with several versions. Returns a kind for each version under its name. */
export function defineVersions(definition: GivenVersions): VersionedResource {
  const { group, kind } = definition;
  const declared = declaredKind(definition);
  const given = Object.entries(definition.versions);
  const names = given.map(([name]) => ({ field: `versions.${name}`, name }));
  const problems = [...nameProblems(declared, names), ...storageProblems(given)];
  const versions = given.map(([name, options]) => checkedVersion(name, options, problems));
  if (problems.length > 0) throw new DefinitionError(`${kind} of ${group}`, problems);
  const conversion = conversionOf({
    group,
    kind,
    storageVersion: versions.find(({ storage }) => storage)?.name ?? "",
    converters: new Map(given.map(([name, { convert }]) => [name, convertersOf(convert)])),
  });
  const toCustomResourceDefinition = (options: DefinitionOptions = {}): Definition =>
    definitionOf(declared, versions, conversionSection(conversion, options));
  const kinds = versions.map((version) => [
    version.name,
    resourceOf(declared, version, () => toCustomResourceDefinition()),
  ]);
  return { ...Object.fromEntries(kinds), conversion, toCustomResourceDefinition };
}

function storageProblems(given: ReadonlyArray<[string, GivenVersion]>): Problem[] {
  const stored = given.filter(([, { storage }]) => storage === true).map(([name]) => name);
  if (stored.length === 1) return [];
  const got = stored.length === 0 ? "none" : stored.join(" and ");
  return [{ field: "versions", reason: `expected exactly one version with storage: true, got ${got}` }];
}

function checkedVersion(name: string, given: GivenVersion, problems: Problem[]): DeclaredVersion {
  const { served = true, deprecated, storage } = given;
  const own: Problem[] = conversionProblems(name, given);
  const version = declaredVersion(
    { name, served, storage: storage === true, deprecated, options: given },
    own,
  );
  problems.push(...own.map(({ field, reason }) => ({ field: `versions.${name}.${field}`, reason })));
  return version;
}

/** Names of the result that a version cannot have. */
const reserved: ReadonlySet<string> = new Set<keyof VersionedResource>([
  "conversion",
  "toCustomResourceDefinition",
]);

function conversionProblems(name: string, { storage, convert }: GivenVersion): Problem[] {
  if (reserved.has(name))
    return [{ field: "name", reason: "expected a name such as v1, got a reserved one" }];
  if (storage === true)
    return convert === undefined
      ? []
      : [{ field: "convert", reason: "the stored version is not converted: remove convert" }];
  if (convert === "none" || convertersOf(convert)) return [];
  return [
    { field: "convert", reason: `expected { toStorage, fromStorage } or "none", got ${textOf(convert)}` },
  ];
}

function textOf(convert: unknown): string {
  return isRecord(convert) ? `{ ${Object.keys(convert).join(", ")} }` : String(convert);
}

function convertersOf(convert: unknown): Converters | undefined {
  if (!isRecord(convert)) return undefined;
  const { toStorage, fromStorage } = convert;
  const complete = typeof toStorage === "function" && typeof fromStorage === "function";
  return complete ? (convert as unknown as Converters) : undefined;
}

type ConversionSection = Definition["spec"]["conversion"];

function conversionSection({ strategy }: Conversion, { webhook }: DefinitionOptions): ConversionSection {
  if (strategy === "None") return { strategy };
  if (!webhook) return undefined;
  return { strategy, webhook: { clientConfig: webhook, conversionReviewVersions: ["v1"] } };
}
