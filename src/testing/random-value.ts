import { below, between, type Rng, uuid } from "../base/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { randomMatch } from "./random-pattern.ts";

export interface RandomValueOptions {
  readonly rng: Rng;
  /** The path of the value in the object: `spec.ports[*].name`. */
  readonly path: string;
  /** Functions that return a value of a field, by path. They replace the generated value. */
  readonly values: Readonly<Record<string, (rng: Rng) => unknown>>;
}

/**
 * Returns a random value of a structural schema. Small values, empty ones and limits are frequent. Alternatives
 * (`anyOf`, `oneOf`) are followed one at a time. Rules and `not` are ignored, so the caller has to validate the result.
 */
export function randomValue(schema: StructuralSchema, options: RandomValueOptions): unknown {
  const { rng, path, values } = options;
  const own = values[path];
  if (own) return own(rng);
  if (schema.nullable && chance(rng, 0.1)) return null;
  const chosen = withAlternative(schema, rng);
  if (chosen.enum && chosen.enum.length > 0) return chosen.enum[below(rng, chosen.enum.length)];
  if (chosen["x-kubernetes-int-or-string"])
    return chance(rng, 0.5) ? integer(chosen, rng) : text(chosen, rng);
  switch (chosen.type) {
    case "object":
      return object(chosen, options);
    case "array":
      return list(chosen, options);
    case "string":
      return text(chosen, rng);
    case "integer":
      return integer(chosen, rng);
    case "number":
      return number(chosen, rng);
    case "boolean":
      return chance(rng, 0.5);
    case undefined:
      return anyValue(rng);
  }
}

function chance(rng: Rng, probability: number): boolean {
  return rng.next() < probability;
}

/** Returns the schema restricted by one of its alternatives, and by all parts of `allOf`. */
function withAlternative(schema: StructuralSchema, rng: Rng): StructuralSchema {
  const { anyOf = [], oneOf = [], allOf = [], ...base } = schema;
  const chosen = [anyOf, oneOf].flatMap((all) => all[below(rng, all.length)] ?? []);
  return [...allOf, ...chosen].reduce<StructuralSchema>(restricted, base);
}

function restricted(schema: StructuralSchema, restriction: StructuralSchema): StructuralSchema {
  const { properties = {}, required = [], ...rest } = restriction;
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    restricted(schema.properties?.[name] ?? {}, field),
  ]);
  return {
    ...schema,
    ...rest,
    ...(schema.properties && { properties: { ...schema.properties, ...Object.fromEntries(fields) } }),
    required: [...(schema.required ?? []), ...required],
  };
}

function object(schema: StructuralSchema, options: RandomValueOptions): Record<string, unknown> {
  const { rng, path } = options;
  const { properties = {}, required = [], additionalProperties: values } = schema;
  const present = Object.entries(properties).filter(([name]) => required.includes(name) || chance(rng, 0.6));
  const fields = present.map(([name, field]) => [
    name,
    randomValue(field, { ...options, path: path === "" ? name : `${path}.${name}` }),
  ]);
  if (values === undefined || values === false) return Object.fromEntries(fields);
  const valueSchema = values === true ? {} : values;
  const count = countIn(schema.minProperties, schema.maxProperties, rng);
  const entries = Array.from({ length: count }, (_, index) => [
    `${word(rng)}${index}`,
    randomValue(valueSchema, { ...options, path: `${path}[*]` }),
  ]);
  return Object.fromEntries([...fields, ...entries]);
}

function list({ items = {}, ...schema }: StructuralSchema, options: RandomValueOptions): unknown[] {
  const count = countIn(schema.minItems, schema.maxItems, options.rng);
  const at = { ...options, path: `${options.path}[*]` };
  const all = Array.from({ length: count }, () => randomValue(items, at));
  return withoutRepeated(all, schema);
}

/** Removes elements that a set or a list with keys has already. */
function withoutRepeated(all: readonly unknown[], schema: StructuralSchema): unknown[] {
  const type = schema["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return [...all];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const seen = new Set<string>();
  return all.filter((element) => {
    const key = JSON.stringify(type === "set" ? element : keys.map((name) => Object(element)[name]));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function countIn(min = 0, max = Number.POSITIVE_INFINITY, rng: Rng): number {
  return min + below(rng, Math.min(max - min, 3) + 1);
}

const words: readonly string[] = ["a", "b", "web", "x-y", "Long value", "ünïcode", "1", ""];

function word(rng: Rng): string {
  return words[below(rng, words.length)] ?? "";
}

function text(schema: StructuralSchema, rng: Rng): string {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (pattern !== undefined) return randomMatch(pattern, rng).slice(0, maxLength);
  const made = format === undefined ? undefined : formats[format]?.(rng);
  if (made !== undefined) return made;
  const short = [...`${word(rng)}${chance(rng, 0.5) ? below(rng, 1000) : ""}`].slice(0, maxLength).join("");
  return short.padEnd(minLength, "x");
}

const byteText = (rng: Rng): string => Buffer.from(`${word(rng)}${below(rng, 10)}`).toString("base64");
const day = (rng: Rng): string => `20${10 + below(rng, 80)}-0${1 + below(rng, 9)}-1${below(rng, 10)}`;
const address = (rng: Rng): string => `10.0.${below(rng, 256)}.${below(rng, 256)}`;

/** Values of the formats that an API server checks. */
const formats: Readonly<Record<string, (rng: Rng) => string>> = {
  byte: byteText,
  cidr: (rng) => `${address(rng)}/32`,
  date: day,
  "date-time": (rng) => `${day(rng)}T0${below(rng, 10)}:00:00Z`,
  duration: (rng) => `${below(rng, 100)}s`,
  email: (rng) => `user${below(rng, 100)}@example.dev`,
  hostname: (rng) => `host${below(rng, 100)}.example.dev`,
  ipv4: address,
  ipv6: (rng) => `fd00::${below(rng, 0xffff).toString(16)}`,
  mac: (rng) => `00:00:5e:00:53:${(16 + below(rng, 240)).toString(16)}`,
  uri: (rng) => `https://example.dev/${below(rng, 100)}`,
  uuid,
};

function limits(schema: StructuralSchema): { readonly min: number; readonly max: number } {
  const { minimum = -1000, maximum = Math.max(minimum, 0) + 1000 } = schema;
  return { min: Math.min(minimum, maximum), max: maximum };
}

function integer(schema: StructuralSchema, rng: Rng): number {
  const { min, max } = limits(schema);
  const step = schema.multipleOf ?? 1;
  const near = [0, 1, -1, 2, min, max].filter((each) => each >= min && each <= max);
  const chosen = chance(rng, 0.5)
    ? (near[below(rng, near.length)] ?? min)
    : Math.floor(between(rng, Math.max(min, -1e6), Math.min(max, 1e6)));
  return exclusive(Math.trunc(chosen / step) * step, schema);
}

/** Moves a value off an exclusive limit. */
function exclusive(value: number, schema: StructuralSchema): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (exclusiveMinimum && value === minimum) return value + (schema.multipleOf ?? 1);
  return exclusiveMaximum && value === maximum ? value - (schema.multipleOf ?? 1) : value;
}

function number(schema: StructuralSchema, rng: Rng): number {
  const { min, max } = limits(schema);
  if (schema.multipleOf !== undefined || chance(rng, 0.3)) return integer(schema, rng);
  return Math.round(between(rng, min, max) * 100) / 100;
}

function anyValue(rng: Rng): unknown {
  const all: readonly unknown[] = [{}, { a: 1 }, { nested: { list: ["x", 2, true] } }];
  return all[below(rng, all.length)];
}
