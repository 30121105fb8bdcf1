import type { KubeObject } from "../api/index.ts";
import { below, type Rng, realRng, seededRng } from "../base/index.ts";
import type { Conversion, Definition, VersionedResource } from "../crd/index.ts";
import { equal, type StructuralSchema } from "../schema/index.ts";
import { randomValue } from "./random-value.ts";
import { smallerValues } from "./smaller-values.ts";

export interface LosslessOptions {
  /** Random objects of each version. @default 200 */
  readonly runs?: number | undefined;
  /** The seed of the random objects. The error has it, to repeat a failure. @default a random one */
  readonly seed?: number | undefined;
  /**
   * Values for fields whose schemas the generator cannot satisfy, such as those with validation rules: `{ "spec.image":
   * (rng) => … }`. The path of an element of a list or map ends in `[*]`. @default none
   */
  readonly values?: Readonly<Record<string, (rng: Rng) => unknown>> | undefined;
}

/**
 * Converts random objects of every version to the storage version and back, and objects of the storage version to every
 * other version and back. Throws for the first object that changes, fails to convert, or becomes invalid, reduced to a
 * small one.
 *
 * ```ts
 * test("no conversion loses data", () => expectLosslessConversion(Websites));
 * ```
 *
 * Objects are pruned, defaulted and validated after every conversion like an API server does, except for validation
 * rules. A conversion may keep data that the other version has no field for in annotations: those that it adds are not
 * a change.
 */
export function expectLosslessConversion(versions: VersionedResource, options: LosslessOptions = {}): void {
  const { runs = 200, seed = below(realRng, 2 ** 31), values = {} } = options;
  const { conversion } = versions;
  const definition = versions.toCustomResourceDefinition();
  const rng = seededRng(seed);
  for (const [from, through] of roundTrips(conversion)) {
    const trip = { versions, conversion, from, through };
    const schema = schemaOf(definition, from);
    for (let run = 0; run < runs; run++) {
      const loss = lossOf(validObject(schema, { trip, rng, values }), trip);
      if (loss) throw new Error(lossText(shrunk(loss, trip), trip, seed));
    }
  }
}

interface RoundTrip {
  readonly versions: VersionedResource;
  readonly conversion: Conversion;
  readonly from: string;
  readonly through: string;
}

function roundTrips({ versions, storageVersion }: Conversion): Array<readonly [string, string]> {
  const others = versions.filter((version) => version !== storageVersion);
  return others.flatMap((version) => [
    [version, storageVersion] as const,
    [storageVersion, version] as const,
  ]);
}

function schemaOf({ spec }: Definition, version: string): StructuralSchema {
  const found = spec.versions.find(({ name }) => name === version);
  // `defineResource` has checked that the schema is structural.
  return (found?.schema?.openAPIV3Schema ?? {}) as StructuralSchema;
}

interface ObjectOptions {
  readonly trip: RoundTrip;
  readonly rng: Rng;
  readonly values: NonNullable<LosslessOptions["values"]>;
}

const maxTries = 50;

/** Returns a random valid object of a version, with its defaults. */
function validObject(schema: StructuralSchema, { trip, rng, values }: ObjectOptions): KubeObject {
  let refused: unknown;
  for (let tries = 0; tries < maxTries; tries++) {
    const content = randomValue(schema, { rng, path: "", values }) as object;
    try {
      return parsed({ metadata: randomMetadata(rng), ...content }, trip, trip.from);
    } catch (error) {
      refused = error;
    }
  }
  throw new Error(
    `expected a random object of ${trip.from} that its schema allows, got none in ${maxTries} tries: ` +
      "pass values for the fields that are hard to generate",
    { cause: refused },
  );
}

function randomMetadata(rng: Rng): object {
  const labels = below(rng, 2) === 0 ? {} : { labels: { app: "a" } };
  return { name: "a", namespace: "default", ...labels };
}

/** Parses an object by the kind of a version: every version is a kind with a parser. */
function parsed(object: unknown, { versions }: RoundTrip, version: string): KubeObject {
  const kind: { parse(value: unknown): KubeObject } = Reflect.get(versions, version);
  // Like on the wire, undefined is absent.
  return kind.parse(JSON.parse(JSON.stringify(object)));
}

/** An object that a round trip changed, or for which it failed. */
interface Loss {
  readonly before: KubeObject;
  readonly converted?: KubeObject;
  readonly after?: KubeObject;
  readonly problem: string;
}

function lossOf(before: KubeObject, trip: RoundTrip): Loss | undefined {
  const { conversion, from, through } = trip;
  let converted: KubeObject | undefined;
  try {
    converted = parsed(conversion.convert(before, through), trip, through);
    const after = parsed(conversion.convert(converted, from), trip, from);
    const field = firstDifference(contentOf(before, before), contentOf(after, before), "");
    return field === undefined ? undefined : { before, converted, after, problem: `a change of ${field}` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { before, ...(converted && { converted }), problem };
  }
}

/** Returns an object without the labels and annotations that the original does not have. */
function contentOf({ metadata, ...content }: KubeObject, original: KubeObject): object {
  const { labels, annotations, ...rest } = metadata;
  return {
    metadata: {
      ...rest,
      labels: sameKeys(labels, original.metadata.labels),
      annotations: sameKeys(annotations, original.metadata.annotations),
    },
    ...content,
  };
}

type Labels = Readonly<Record<string, string>> | undefined;

function sameKeys(labels: Labels = {}, original: Labels = {}): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => Object.hasOwn(original, key)));
}

/** Returns the path of the first difference between two values, or `undefined` if they are equal. */
function firstDifference(one: unknown, other: unknown, path: string): string | undefined {
  if (equal(one, other)) return undefined;
  if (!isParent(one) || !isParent(other) || Array.isArray(one) !== Array.isArray(other)) return path;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const step = Array.isArray(one) ? `[${name}]` : path === "" ? name : `.${name}`;
    const found = firstDifference(Reflect.get(one, name), Reflect.get(other, name), `${path}${step}`);
    if (found !== undefined) return found;
  }
  return path;
}

function isParent(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The most objects that are tried to find a smaller one. */
const maxSmaller = 2000;

/** Returns the loss of a small object: no simpler object has one. */
function shrunk(loss: Loss, trip: RoundTrip): Loss {
  let smallest = loss;
  // The object without defaults, which would add the fields again that were removed.
  let given: KubeObject = loss.before;
  let left = maxSmaller;
  for (let found = true; found; ) {
    found = false;
    for (const candidate of smallerObjects(given)) {
      if (left-- <= 0) return smallest;
      const smaller = lossOfCandidate(candidate, trip);
      if (!smaller) continue;
      [smallest, given, found] = [smaller, candidate, true];
      break;
    }
  }
  return smallest;
}

function* smallerObjects({ apiVersion, kind, metadata, ...content }: KubeObject): Iterable<KubeObject> {
  const { labels, ...rest } = metadata;
  if (labels) yield { apiVersion, kind, metadata: rest, ...content };
  for (const smaller of smallerValues(content)) yield { apiVersion, kind, metadata, ...(smaller as object) };
}

/** Returns the loss of an object, or `undefined` if the object is not valid or nothing is lost. */
function lossOfCandidate(candidate: unknown, trip: RoundTrip): Loss | undefined {
  let object: KubeObject;
  try {
    object = parsed(candidate, trip, trip.from);
  } catch {
    return undefined; // the smaller object is not valid
  }
  return lossOf(object, trip);
}

function lossText({ before, converted, after, problem }: Loss, trip: RoundTrip, seed: number): string {
  const { conversion, from, through } = trip;
  const lines = [
    `expected ${conversion.kind} of ${conversion.group} to keep its data from ${from} to ${through} and back, got ${problem}`,
    `  ${from}: ${contentText(before)}`,
    ...(converted ? [`  ${through}: ${contentText(converted)}`] : []),
    ...(after ? [`  ${from}: ${contentText(after)}`] : []),
    `  repeat it with { seed: ${seed} }`,
  ];
  return lines.join("\n");
}

function contentText({ apiVersion: _, kind: __, metadata, ...content }: KubeObject): string {
  const { labels, annotations } = metadata;
  const shown = labels || annotations ? { metadata: { labels, annotations }, ...content } : content;
  return JSON.stringify(shown);
}
