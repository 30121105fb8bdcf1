/** Names one object of a kind. Cluster-scoped objects have no namespace; elsewhere none means the client's own. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `namespace/name`, or `name` alone: the key of an object as text, as queues and logs carry it. */
export function keyOf(object: { readonly metadata: ObjectKey }): string {
  return keyText(object.metadata);
}

/** The same for a key. `parseKey` is its inverse. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** The key that `text` stands for. Throws unless it is `name` or `namespace/name`, with no part empty. */
export function parseKey(text: string): ObjectKey {
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
