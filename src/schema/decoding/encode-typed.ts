import type { Shape, TypedField, TypedSchema } from "../structure/typed-schema.ts";
import { fieldOf, isArray, isObject, type JsonObject, setField } from "../values/json-value.ts";

/**
 * Encodes a decoded value of a built-in kind as kube-apiserver writes its Go type: fields in the order of the struct,
 * non-pointer parts always present (`status: {}`, a time as `null`), zero values dropped for `omitempty` fields, empty
 * lists and maps dropped or `null`, and map keys sorted.
 *
 * Returns a new value, and expects one that fits its type.
 */
export function encodeTyped(value: unknown, type: TypedSchema): unknown {
  const { element } = type;
  if (type.shape === "struct" && isObject(value)) return encodeStruct(value, type);
  if (!element) return value;
  if (isArray(value)) return value.map((item) => encodeTyped(item, element));
  if (type.shape === "map" && isObject(value)) return encodeMap(value, element);
  return isObject(value) ? encodeTyped(value, element) : value;
}

/**
 * Returns a struct with its fields in the order of `encodeTyped`, or `value` itself if it is in that order. Does not
 * reorder nested fields.
 */
export function inFieldOrder(value: unknown, type: TypedSchema): unknown {
  if (type.shape !== "struct" || !isObject(value)) return value;
  const positions = positionsOf(type);
  let last = 0;
  for (const name of Object.keys(value)) {
    const position = positions.get(name) ?? positions.size;
    if (position < last) return ordered(value, positions.keys());
    last = position;
  }
  return value;
}

function ordered(value: JsonObject, names: Iterable<string>): JsonObject {
  const fields: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(value, name)) fields[name] = value[name];
  return Object.assign(fields, value);
}

/** Returns the position of each field of a struct. */
function positionsOf(type: TypedSchema): ReadonlyMap<string, number> {
  const cached = positionsByType.get(type);
  if (cached) return cached;
  const positions = new Map(membersOf(type).map(({ name }, position) => [name, position]));
  positionsByType.set(type, positions);
  return positions;
}

const positionsByType = new WeakMap<TypedSchema, ReadonlyMap<string, number>>();

function encodeMap(value: JsonObject, element: TypedSchema): JsonObject {
  const encoded: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) setField(encoded, key, encodeTyped(value[key], element));
  return encoded;
}

function encodeStruct(value: JsonObject, type: TypedSchema): JsonObject {
  const encoded: Record<string, unknown> = {};
  for (const { name, field, always } of membersOf(type)) {
    const found = fieldOf(value, name);
    const written = found === undefined && !always ? undefined : encodeField(found, field);
    if (written !== undefined) encoded[name] = written;
  }
  return encoded;
}

interface Member {
  readonly name: string;
  readonly field: TypedField;
  /** True if a value is written even for a missing field. */
  readonly always: boolean;
}

function membersOf(type: TypedSchema): readonly Member[] {
  const cached = membersByType.get(type);
  if (cached) return cached;
  const members = Array.from(fieldsOf(type), ([name, field]) => ({
    name,
    field,
    always: encodeField(undefined, field) !== undefined,
  }));
  membersByType.set(type, members);
  return members;
}

/**
 * Returns the fields with `kind` first. Types of objects embed `TypeMeta`, which has `kind` first even where OpenAPI
 * has another order.
 */
function fieldsOf({ fields }: TypedSchema): ReadonlyMap<string, TypedField> {
  const kind = fields.get("kind");
  return kind && fields.has("apiVersion") && fields.has("metadata")
    ? new Map([["kind", kind], ...fields])
    : fields;
}

const membersByType = new WeakMap<TypedSchema, readonly Member[]>();

function encodeField(value: unknown, field: TypedField): unknown {
  const found = isZero(value, field) ? zeroOf(field) : encodeTyped(value, field.type);
  return field.written === "unless-zero" && isEmpty(found) ? undefined : found;
}

/** Returns true if the field is zero in Go. A pointer is zero only if it was not set. */
function isZero(value: unknown, { type, pointer }: TypedField): boolean {
  if (value === undefined || value === null) return true;
  if (type.shape === "list" || type.shape === "map") return isEmpty(value);
  return !pointer && value === scalarZeros[type.shape];
}

function isEmpty(value: unknown): boolean {
  if (isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === undefined || value === null;
}

/** Returns the value that is written for a zero field, or `undefined` if the field is omitted. */
function zeroOf({ type, pointer, written }: TypedField): unknown {
  if (pointer) return written === "always" ? null : undefined;
  if (type.shape === "struct") return encodeStruct({}, type);
  if (type.shape in structZeros) return structZeros[type.shape];
  return written === "always" ? (scalarZeros[type.shape] ?? null) : undefined;
}

const scalarZeros: Readonly<Partial<Record<Shape, unknown>>> = {
  string: "",
  boolean: false,
  integer: 0,
  number: 0,
  bytes: "",
};

/** Types that are structs in Go, and therefore never empty. */
const structZeros: Readonly<Partial<Record<Shape, unknown>>> = {
  time: null,
  microTime: null,
  quantity: "0",
  intOrString: 0,
  raw: null,
};
