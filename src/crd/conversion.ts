import { apiVersionOf, type KubeObject } from "../api/index.ts";
import { isRecord, jsonType } from "./json-schema.ts";

/** Converts objects of a kind between its versions, as a conversion webhook does. */
export interface Conversion {
  readonly group: string;
  readonly kind: string;
  readonly storageVersion: string;
  /** All versions, in the order of their declaration. */
  readonly versions: readonly string[];
  /** `"None"` if only `apiVersion` differs between versions, so that an API server needs no webhook. */
  readonly strategy: "None" | "Webhook";
  /**
   * Returns the object in another version. It is converted to the storage version first. The given object is not
   * changed. Metadata is kept except for labels and annotations that a conversion changed.
   *
   * @throws {ConversionError} if the object is of another kind, a version is unknown, or a conversion failed
   */
  convert(object: unknown, toVersion: string): KubeObject;
}

/** Thrown for an object that cannot be converted. */
export class ConversionError extends Error {
  override readonly name = "ConversionError";
}

/** The conversion functions of a version. Their objects are not typed. */
export interface Converters {
  readonly toStorage: (object: never) => unknown;
  readonly fromStorage: (object: never) => unknown;
}

/** A kind, and the conversions of its versions by name. The storage version has none. */
export interface ConvertedKind {
  readonly group: string;
  readonly kind: string;
  readonly storageVersion: string;
  readonly converters: ReadonlyMap<string, Converters | undefined>;
}

export function conversionOf(converted: ConvertedKind): Conversion {
  const { group, kind, storageVersion, converters } = converted;
  return {
    group,
    kind,
    storageVersion,
    versions: [...converters.keys()],
    strategy: [...converters.values()].some((each) => each !== undefined) ? "Webhook" : "None",
    convert: (object, toVersion) => convert(object, toVersion, converted),
  };
}

function convert(given: unknown, toVersion: string, converted: ConvertedKind): KubeObject {
  const from = versionOf(given, converted);
  if (!converted.converters.has(toVersion)) throw unknownVersion(toVersion, converted);
  // `versionOf` has checked that it is an object of this kind.
  const object = given as KubeObject;
  if (from === toVersion) return object;
  const { storageVersion, converters } = converted;
  const stored = step(object, { to: storageVersion, run: converters.get(from)?.toStorage, kind: converted });
  return step(stored, { to: toVersion, run: converters.get(toVersion)?.fromStorage, kind: converted });
}

/** Returns the version of an object of this kind. */
function versionOf(object: unknown, converted: ConvertedKind): string {
  const { group, kind } = converted;
  const expected = `expected an object of kind ${kind} in ${group}`;
  if (!isRecord(object)) throw new ConversionError(`${expected}, got ${jsonType(object)}`);
  const { apiVersion, kind: given, metadata } = object;
  if (given !== kind || typeof apiVersion !== "string" || !apiVersion.startsWith(`${group}/`))
    throw new ConversionError(`${expected}, got ${String(apiVersion)} ${String(given)}`);
  if (!isRecord(metadata)) throw new ConversionError(`${expected}, got one without metadata`);
  const version = apiVersion.slice(group.length + 1);
  if (!converted.converters.has(version)) throw unknownVersion(version, converted);
  return version;
}

function unknownVersion(version: string, { group, kind, converters }: ConvertedKind): ConversionError {
  const known = [...converters.keys()].join(", ");
  return new ConversionError(`expected a version of ${kind} in ${group} (${known}), got ${version}`);
}

interface Step {
  /** The version that the function returns. */
  readonly to: string;
  readonly run: ((object: never) => unknown) | undefined;
  readonly kind: ConvertedKind;
}

function step(object: KubeObject, { to, run, kind: { group, kind } }: Step): KubeObject {
  const type = { apiVersion: apiVersionOf({ group, version: to }), kind };
  if (object.apiVersion === type.apiVersion) return object;
  const { apiVersion: _, kind: __, metadata, ...content } = object;
  if (!run) return { ...type, metadata, ...content };
  const what = `conversion of ${kind} ${nameOf(object)} from ${object.apiVersion} to ${type.apiVersion}`;
  const result = called(run, structuredClone(object), what);
  const { apiVersion: ___, kind: ____, metadata: changed, ...rest } = result;
  return { ...type, metadata: isRecord(changed) ? withLabelsOf(changed, metadata) : metadata, ...rest };
}

function called(run: (object: never) => unknown, object: KubeObject, what: string): Record<string, unknown> {
  let result: unknown;
  try {
    // The declaration's types guarantee that the function takes objects of this version.
    result = run(object as never);
  } catch (cause) {
    throw new ConversionError(`${what} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  if (result instanceof Promise) {
    result.catch(() => {}); // its error is not the reason
    throw new ConversionError(`${what} failed: expected an object, got a promise: a conversion is not async`);
  }
  if (isRecord(result)) return result;
  throw new ConversionError(`${what} failed: expected an object, got ${jsonType(result)}`);
}

function nameOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Returns the metadata with the labels and annotations of `changed`. */
function withLabelsOf(
  { labels, annotations }: Record<string, unknown>,
  { labels: _, annotations: __, ...metadata }: KubeObject["metadata"],
): KubeObject["metadata"] {
  // The types of the declaration guarantee that both are maps of strings. The API server validates them.
  return { ...metadata, ...definedOf({ labels, annotations }) } as KubeObject["metadata"];
}

function definedOf(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
