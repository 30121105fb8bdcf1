import { equal } from "../values/equal.ts";
import { fieldOf, isArray, isObject } from "../values/json-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";

/**
 * A new value with the old value at the same place. Fields correlate by name, elements of a list of type `map` by their
 * keys. Elements of other lists have no old value.
 */
export class Correlation {
  readonly #schema: CompiledSchema;
  readonly #value: unknown;
  readonly #old: unknown;
  /**
   * True for a whole object. Errors of its apiVersion and kind are never ratcheted, because both versions were
   * converted to the same ones.
   */
  readonly #root: boolean;
  #equal: boolean | undefined;
  #oldElements: ReadonlyMap<string, unknown> | undefined;

  constructor(schema: CompiledSchema, values: { value: unknown; old: unknown; root?: boolean }) {
    this.#schema = schema;
    this.#value = values.value;
    this.#old = values.old;
    this.#root = values.root ?? false;
  }

  /** True if nothing has changed. The order of lists of type `map` does not matter. */
  get equal(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  /** Returns the correlation of a field or element, or `undefined` if it has no old value. */
  child(key: string | number): Correlation | undefined {
    if (typeof key === "number") return this.#element(key);
    return this.#root && (key === "apiVersion" || key === "kind") ? undefined : this.#field(key);
  }

  #field(key: string): Correlation | undefined {
    const schema = this.#schema.properties.get(key) ?? this.#schema.values;
    const value = isObject(this.#value) ? fieldOf(this.#value, key) : undefined;
    const old = isObject(this.#old) ? fieldOf(this.#old, key) : undefined;
    if (!schema || value === undefined || old === undefined) return undefined;
    return new Correlation(schema, { value, old });
  }

  #element(index: number): Correlation | undefined {
    const { items } = this.#schema;
    const value = isArray(this.#value) ? this.#value[index] : undefined;
    const old = this.#oldElement(value);
    return items && old !== undefined ? new Correlation(items, { value, old }) : undefined;
  }

  #oldElement(value: unknown): unknown {
    if (this.#schema.listType !== "map" || !isArray(this.#old)) return undefined;
    this.#oldElements ??= byKey(this.#old, this.#schema.listMapKeys);
    const key = keyOf(value, this.#schema.listMapKeys);
    return key === undefined ? undefined : this.#oldElements.get(key);
  }

  #compare(): boolean {
    if (isArray(this.#value) && isArray(this.#old)) return this.#compareLists(this.#value, this.#old);
    if (!isObject(this.#value) || !isObject(this.#old)) return equal(this.#value, this.#old);
    const keys = Object.keys(this.#value);
    if (keys.length !== Object.keys(this.#old).length) return false;
    return keys.every((key) => this.#field(key)?.equal ?? false);
  }

  #compareLists(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (this.#schema.listType !== "map") return equal(value, old);
    return value.length === old.length && value.every((_, index) => this.#element(index)?.equal ?? false);
  }
}

/** Indexes elements by their keys. The first of several elements with the same keys wins. */
function byKey(elements: readonly unknown[], names: readonly string[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const element of elements) {
    const key = keyOf(element, names);
    if (key !== undefined && !found.has(key)) found.set(key, element);
  }
  return found;
}

/** Returns the keys of a list element as one string, or `undefined` if a key is missing or not a scalar. */
function keyOf(element: unknown, names: readonly string[]): string | undefined {
  if (!isObject(element)) return undefined;
  const values = names.map((name) => fieldOf(element, name));
  return values.every(isScalar)
    ? values.map((value) => `${typeof value} ${String(value)}`).join("\0")
    : undefined;
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}
