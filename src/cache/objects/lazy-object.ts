import type { KubeObject, ObjectMeta } from "../../api/index.ts";
import type { Entry } from "./entry.ts";
import { release, retain } from "./slab.ts";

/**
 * Returns the object of an entry, parsed as it is read. The caller owns it and may change it. `metadata` is parsed when
 * it is first read, so is the first other field, and everything else when a second one is read: many readers look at
 * one field besides the metadata, such as the status. It is a plain object with all its fields as properties, so copies
 * and comparisons work.
 *
 * @param metadata parsed before; it becomes the object's metadata
 */
export function lazyObject<T extends KubeObject>(entry: Entry, metadata?: ObjectMeta): T {
  const fields = entry.fields();
  if (!fields?.includes("metadata") || fields.includes("__proto__")) return parsedObject(entry, metadata);
  retain(entry); // until everything is parsed
  const hidden = { [source]: { value: entry, writable: true }, [touched]: { value: false, writable: true } };
  const object = Object.defineProperties({}, hidden) as LazyObject;
  for (const field of fields) Object.defineProperty(object, field, accessorOf(field));
  if (metadata) settle(object, "metadata", metadata);
  return object as unknown as T; // it has every field that the object has
}

function parsedObject<T extends KubeObject>(entry: Entry, metadata: ObjectMeta | undefined): T {
  const object = entry.parse<T>();
  if (metadata) object.metadata = metadata;
  return object;
}

/** The entry, until everything is parsed. Not enumerable. */
const source: unique symbol = Symbol("entry");
/** True if a field besides the metadata was read. */
const touched: unique symbol = Symbol("touched");

interface LazyObject {
  [source]: Entry | undefined;
  [touched]: boolean;
}

function read(object: LazyObject, field: string): unknown {
  const entry = object[source];
  if (!entry) return undefined; // not reached: without an entry, no accessor is left
  if (field === "metadata") return settle(object, field, entry.metadata());
  if (!object[touched]) {
    object[touched] = true;
    return settle(object, field, entry.field(field));
  }
  const parsed = entry.parse();
  for (const [name, value] of Object.entries(parsed))
    if (!isSettled(object, name)) settle(object, name, value);
  object[source] = undefined;
  release(entry);
  return parsed[field as keyof KubeObject]; // `fields` contains it
}

function settle(object: object, field: string, value: unknown): unknown {
  Object.defineProperty(object, field, { value, writable: true, enumerable: true, configurable: true });
  return value;
}

/** Returns true if the field was parsed before, or was assigned or deleted by the caller. */
function isSettled(object: object, field: string): boolean {
  return Object.getOwnPropertyDescriptor(object, field)?.get === undefined;
}

/**
 * One accessor per field name for all objects. With its own accessors, V8 would keep a hidden class per object, and the
 * object with it.
 */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(field: string): PropertyDescriptor {
  const cached = accessors.get(field);
  if (cached) return cached;
  const accessor: PropertyDescriptor & ThisType<LazyObject> = {
    enumerable: true,
    configurable: true,
    get() {
      return read(this, field);
    },
    set(value: unknown) {
      settle(this, field, value);
    },
  };
  accessors.set(field, accessor);
  return accessor;
}
