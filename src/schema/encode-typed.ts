import { fieldOf, isArray, isObject, type JsonObject, setField } from "./json-value.ts";
import type { Shape, TypedField, TypedSchema } from "./typed-schema.ts";

/**
 * A decoded value of a built-in kind as kube-apiserver writes it from its Go type: fields in the order of the struct,
 * parts that are no pointers always there (`status: {}`, a time as `null`), zeros left out where the field omits what
 * is empty, empty lists and maps left out or `null`, the keys of maps in order.
 *
 * Gives a new value each time, and expects one that fits its type.
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
 * Returns a struct with its fields in the order in which `encodeTyped` writes them: `value` itself if they are. The order
 * inside its fields is left as it is.
 */
export function inFieldOrder(value: unknown, type: TypedSchema): unknown {
  if (type.shape !== "struct" || !isObject(value)) return value;
  const places = placesOf(type);
  let last = 0;
  for (const name of Object.keys(value)) {
    const place = places.get(name) ?? places.size;
    if (place < last) return ordered(value, places.keys());
    last = place;
  }
  return value;
}

function ordered(value: JsonObject, names: Iterable<string>): JsonObject {
  const fields: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(value, name)) fields[name] = value[name];
  return Object.assign(fields, value);
}

/** The place of each field of a struct. */
function placesOf(type: TypedSchema): ReadonlyMap<string, number> {
  const known = placesByType.get(type);
  if (known) return known;
  const places = new Map(membersOf(type).map(({ name }, place) => [name, place]));
  placesByType.set(type, places);
  return places;
}

const placesByType = new WeakMap<TypedSchema, ReadonlyMap<string, number>>();

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
  /** Whether something is written for it where there is nothing. */
  readonly always: boolean;
}

function membersOf(type: TypedSchema): readonly Member[] {
  const known = membersByType.get(type);
  if (known) return known;
  const members = Array.from(fieldsOf(type), ([name, field]) => ({
    name,
    field,
    always: encodeField(undefined, field) !== undefined,
  }));
  membersByType.set(type, members);
  return members;
}

/** Types of objects embed `TypeMeta`, which has `kind` first, also where OpenAPI has the two in another order. */
function fieldsOf({ fields }: TypedSchema): ReadonlyMap<string, TypedField> {
  const kind = fields.get("kind");
  return kind && fields.has("apiVersion") && fields.has("metadata")
    ? new Map([["kind", kind], ...fields])
    : fields;
}

const membersByType = new WeakMap<TypedSchema, readonly Member[]>();

function encodeField(value: unknown, field: TypedField): unknown {
  const found = isNothing(value, field) ? nothingOf(field) : encodeTyped(value, field.type);
  return field.written === "unless-zero" && isEmpty(found) ? undefined : found;
}

/** Whether Go has the zero of the type here. A pointer is zero only where nothing was set. */
function isNothing(value: unknown, { type, pointer }: TypedField): boolean {
  if (value === undefined || value === null) return true;
  if (type.shape === "list" || type.shape === "map") return isEmpty(value);
  return !pointer && value === scalarZeros[type.shape];
}

function isEmpty(value: unknown): boolean {
  if (isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === undefined || value === null;
}

/** What is written where there is nothing, if anything is. */
function nothingOf({ type, pointer, written }: TypedField): unknown {
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

/** Types that are structs in Go, and so never empty. */
const structZeros: Readonly<Partial<Record<Shape, unknown>>> = {
  time: null,
  microTime: null,
  quantity: "0",
  intOrString: 0,
  raw: null,
};
