/**
 * Identifies one object of a kind. Cluster-scoped objects have no namespace. For other kinds, a missing namespace means
 * the client's.
 */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Returns the key of an object as text for queues and logs: `namespace/name`, or only `name`. */
export function keyOf(object: { readonly metadata: ObjectKey }): string {
  // Plain JavaScript and casts may pass any value, which the compiler does not see.
  const metadata = (object as typeof object | undefined)?.metadata as ObjectKey | undefined;
  if (typeof metadata?.name === "string") return keyText(metadata);
  throw new TypeError(`expected an object with metadata.name, got ${quoted(object)}`);
}

/** Formats a key as text. `parseKey` is its inverse. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * Parses a key. Returns a key object, such as an object's metadata, unchanged.
 *
 * @throws {TypeError} for a string that is not `name` or `namespace/name`, and for a value without a name
 */
export function parseKey<K extends ObjectKey = ObjectKey>(key: K | string): K | ObjectKey {
  return typeof key === "string" ? parseText(key) : checked(key);
}

function checked<K extends ObjectKey>(key: K): K {
  if (typeof (key as K | undefined)?.name === "string") return key;
  const hint = key !== null && typeof key === "object" && "metadata" in key ? "; pass its metadata" : "";
  throw new TypeError(
    `expected an object key like "name", "namespace/name" or { namespace, name }, got ${quoted(key)}${hint}`,
  );
}

function parseText(text: string): ObjectKey {
  const slash = text.indexOf("/");
  const namespace = slash < 0 ? undefined : text.slice(0, slash);
  const name = text.slice(slash + 1);
  if (name === "" || namespace === "" || name.includes("/")) {
    throw new TypeError(
      `expected an object key like "name" or "namespace/name", got ${JSON.stringify(text)}`,
    );
  }
  return namespace === undefined ? { name } : { namespace, name };
}

/** Returns the value as JSON, truncated for messages. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
