/** Names one object of a kind. Cluster-scoped objects have no namespace; elsewhere none means the client's own. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `namespace/name`, or `name` alone: the key of an object as text, as queues and logs carry it. */
export function keyOf(object: { readonly metadata: ObjectKey }): string {
  // Programs in plain JavaScript, and casts, pass anything: the compiler rules out both cases.
  const metadata = (object as typeof object | undefined)?.metadata as ObjectKey | undefined;
  if (typeof metadata?.name === "string") return keyText(metadata);
  throw new TypeError(`expected an object with metadata.name, got ${quoted(object)}`);
}

/** The same for a key. `parseKey` is its inverse. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * The key that `key` stands for: a text, or a key already (an object's metadata is one), which is returned as it is.
 * Throws for a text that is not `name` or `namespace/name` with no part empty, and for a value without a name.
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

/** The value as JSON, cut to a length that fits in a message. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
