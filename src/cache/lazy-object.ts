import type { KubeObject, ObjectMeta } from "../api/index.ts";
import type { Entry } from "./entry.ts";
import { release, retain } from "./slab.ts";

/**
 * The object of an entry, the caller's own to change: its `metadata` is parsed when that is first touched, the first other
 * field that is touched as well, and the rest when anything else is. It is a plain object with the fields it stands for, so
 * that copies and comparisons see them.
 *
 * @param metadata what was parsed before, which is the object's then
 */
export function lazyObject<T extends KubeObject>(entry: Entry, metadata?: ObjectMeta): T {
  const fields = entry.fields();
  if (!fields?.includes("metadata") || fields.includes("__proto__")) return whole(entry, metadata);
  retain(entry); // until everything is read
  const hidden = { [source]: { value: entry, writable: true }, [touched]: { value: false, writable: true } };
  const object = Object.defineProperties({}, hidden) as LazyObject;
  for (const field of fields) Object.defineProperty(object, field, accessorOf(field));
  if (metadata) settle(object, "metadata", metadata);
  return object as unknown as T; // it has every field that the object has
}

function whole<T extends KubeObject>(entry: Entry, metadata: ObjectMeta | undefined): T {
  const object = entry.parse<T>();
  if (metadata) object.metadata = metadata;
  return object;
}

/** The entry, until everything is parsed. No reader sees it. */
const source: unique symbol = Symbol("entry");
/** Whether a field beside the metadata was looked at: many look at one alone, such as the status. */
const touched: unique symbol = Symbol("touched");

interface LazyObject {
  [source]: Entry | undefined;
  [touched]: boolean;
}

function read(object: LazyObject, field: string): unknown {
  const entry = object[source];
  if (!entry) return undefined; // not reached: no accessor is left then
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
  return parsed[field as keyof KubeObject]; // one of its fields: `fields` has named it
}

function settle(object: object, field: string, value: unknown): unknown {
  Object.defineProperty(object, field, { value, writable: true, enumerable: true, configurable: true });
  return value;
}

/** Read before, or changed or removed by whoever has it. */
function isSettled(object: object, field: string): boolean {
  return Object.getOwnPropertyDescriptor(object, field)?.get === undefined;
}

/** One accessor per field name for all objects: V8 would keep a shape for each, and with it the object. */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(field: string): PropertyDescriptor {
  const known = accessors.get(field);
  if (known) return known;
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
