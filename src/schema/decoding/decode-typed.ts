import type { Shape, TypedField, TypedSchema } from "../structure/typed-schema.ts";
import { jsonTypeName } from "../values/go-value.ts";
import { isArray, isObject, type JsonObject, setField } from "../values/json-value.ts";
import type { JsonNotes } from "../values/read-json.ts";
import { DecodeRun, type StrictProblem } from "./decode-run.ts";
import { decodeScalar } from "./decode-scalar.ts";

export interface DecodedTyped {
  readonly value: unknown;
  /** Unknown and repeated fields, in the order they were written. At most 100. */
  readonly problems: readonly StrictProblem[];
}

export interface DecodeOptions {
  /**
   * The notes of `readJson` about the value. @default none: no key is repeated and numbers are written as they print
   */
  readonly notes?: ReadonlyMap<object, JsonNotes> | undefined;
}

/**
 * Decodes a value as kube-apiserver decodes it into the Go type of a built-in kind: drops and reports unknown fields,
 * drops nulls, and brings times, quantities and bytes into their stored form.
 *
 * Does not modify its input. Does not set defaults.
 *
 * @throws {DecodeError} if a value has another type than its field, with the message of Go's decoder
 */
export function decodeTyped(value: unknown, type: TypedSchema, options: DecodeOptions = {}): DecodedTyped {
  const run = new DecodeRun(options.notes ?? new Map());
  const decoded = decode(value, type, run);
  return { value: decoded, problems: run.finish() };
}

/** Returns `undefined` for a null and for a value that could not be decoded. */
function decode(value: unknown, type: TypedSchema, run: DecodeRun): unknown {
  if (value === null || value === undefined) return undefined;
  switch (type.shape) {
    case "struct":
      return isObject(value)
        ? decodeStruct(value, type, run)
        : run.mismatch(jsonTypeName(value), type.goType);
    case "map":
      return isObject(value) ? decodeMap(value, type, run) : run.mismatch(jsonTypeName(value), type.goType);
    case "list":
      return isArray(value) ? decodeList(value, type, run) : run.mismatch(jsonTypeName(value), type.goType);
    case "schemaOrBoolean":
    case "schemaOrList":
    case "schemaOrStrings":
      return run.withoutStrict(() => decodeSchemaOr(value, type, run));
    default:
      return decodeScalar(value, type, run);
  }
}

function decodeStruct(value: JsonObject, type: TypedSchema, run: DecodeRun): JsonObject {
  const decoded: Record<string, unknown> = {};
  if (run.repeatsKeys(value)) return decodeRepeated(value, type, run);
  for (const key of run.keysOf(value)) {
    const field = type.fields.get(key)?.type;
    if (!field) run.reportStrict("unknown", key);
    else {
      run.enter({ container: value, key, struct: type });
      const found = decode(value[key], field, run);
      run.leave();
      if (found !== undefined) setField(decoded, key, found);
    }
  }
  return decoded;
}

/** Decodes an object with repeated keys. Each occurrence is decoded into the result of the previous one. */
function decodeRepeated(value: JsonObject, type: TypedSchema, run: DecodeRun): JsonObject {
  const decoded: Record<string, unknown> = {};
  const times = new Map<string, number>();
  for (const key of run.keysOf(value)) {
    const field = type.fields.get(key);
    const time = times.get(key) ?? 0;
    times.set(key, time + 1);
    // A problem is reported once per key: building its path costs the depth of the object.
    if (time === (field ? 1 : 0)) run.reportStrict(field ? "duplicate" : "unknown", key);
    if (!field) continue;
    run.enter({ container: value, key, struct: type });
    decodeOccurrence(decoded, { key, written: run.valueAt(value, key, time), field }, run);
    run.leave();
  }
  return decoded;
}

interface Occurrence {
  readonly key: string;
  readonly written: unknown;
  readonly field: TypedField;
}

function decodeOccurrence(
  decoded: Record<string, unknown>,
  { key, written, field }: Occurrence,
  run: DecodeRun,
): void {
  const found = decode(written, field.type, run);
  setField(decoded, key, mergeRepeated({ before: decoded[key], written, found }, field));
  if (decoded[key] === undefined) delete decoded[key];
}

const nilShapes: ReadonlySet<Shape> = new Set(["map", "list"]);

interface RepeatedValue {
  /** The value decoded from the previous occurrences. */
  readonly before: unknown;
  readonly written: unknown;
  /** This occurrence, decoded on its own. */
  readonly found: unknown;
}

/**
 * Merges a repeated occurrence as Go does: structs and maps take over new entries, and a null clears a value that can
 * be nil.
 *
 * Modifies `before`, which this decoding has created: a copy per repetition would cost quadratic time.
 */
function mergeRepeated({ before, written, found }: RepeatedValue, { type, pointer }: TypedField): unknown {
  if (found === undefined) return pointer || nilShapes.has(type.shape) ? found : before;
  if (!isObject(before) || !isObject(found) || !isObject(written)) return found;
  const target = before as Record<string, unknown>; // created by this decoding, see above
  if (type.shape === "map") return mergeMap(target, found);
  return type.shape === "struct" ? mergeStruct(target, { written, found }, type) : found;
}

function mergeMap(target: Record<string, unknown>, found: JsonObject): JsonObject {
  for (const key of Object.keys(found)) setField(target, key, found[key]);
  return target;
}

function mergeStruct(
  target: Record<string, unknown>,
  { written, found }: Record<"written" | "found", JsonObject>,
  { fields }: TypedSchema,
): JsonObject {
  for (const key of Object.keys(written)) {
    const field = fields.get(key);
    if (!field) continue;
    const inner = { before: target[key], written: written[key], found: found[key] };
    setField(target, key, mergeRepeated(inner, field));
    if (target[key] === undefined) delete target[key];
  }
  return target;
}

/** Decodes a map. As in Go, a null entry of a map or list becomes the zero value of the type. */
function decodeMap(value: JsonObject, { element }: TypedSchema, run: DecodeRun): JsonObject {
  const decoded: Record<string, unknown> = {};
  const repeated = new Set<string>();
  for (const key of run.keysOf(value)) {
    if (Object.hasOwn(decoded, key)) {
      if (!repeated.has(key)) run.reportStrict("duplicate", key);
      repeated.add(key);
    } else if (element) setField(decoded, key, decodeElement({ container: value, key }, element, run));
  }
  return decoded;
}

function decodeList(value: readonly unknown[], { element }: TypedSchema, run: DecodeRun): unknown[] {
  return value.map((_, key) => element && decodeElement({ container: value, key }, element, run));
}

interface ElementStep {
  readonly container: JsonObject | readonly unknown[];
  readonly key: string | number;
}

function decodeElement({ container, key }: ElementStep, type: TypedSchema, run: DecodeRun): unknown {
  run.enter({ container, key });
  const found = decode(Reflect.get(container, key), type, run);
  run.leave();
  return found === undefined ? zeroOf(type.shape) : found;
}

const zeros: Readonly<Partial<Record<Shape, unknown>>> = {
  string: "",
  boolean: false,
  integer: 0,
  number: 0,
  bytes: "",
  quantity: "0",
  intOrString: 0,
};

function zeroOf(shape: Shape): unknown {
  return shape === "struct" ? {} : (zeros[shape] ?? null);
}

/**
 * Decodes the parts of a schema in a CustomResourceDefinition that have their own decoder. A value that fits no variant
 * decodes to nothing.
 */
function decodeSchemaOr(value: unknown, type: TypedSchema, run: DecodeRun): unknown {
  const { shape, element } = type;
  if (isObject(value)) return element && decode(value, element, run);
  if (shape === "schemaOrBoolean") {
    return typeof value === "boolean" ? value : run.fail("boolean or JSON schema expected");
  }
  if (!isArray(value)) return shape === "schemaOrStrings" ? [] : undefined;
  if (shape === "schemaOrStrings") return value;
  return value.length > 0 ? decodeList(value, type, run) : undefined;
}
