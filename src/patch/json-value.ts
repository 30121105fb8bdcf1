/** An object as it came from JSON. Every key is data, `__proto__` and `constructor` too: see `fieldOf`. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The object's own value under the key; nothing that JavaScript gives every object. */
export function fieldOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own field of an object that is being built. A plain assignment would take `__proto__` for the prototype. */
export function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether two JSON values are the same, whatever the order of their keys. Goes as deep as they do. */
export function equal(one: unknown, other: unknown): boolean {
  const pending: unknown[] = [one, other];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left !== right && !equalOutside(left, right, pending)) return false;
  }
  return true;
}

/** Whether they may be equal; what has to be equal inside them is pushed, in pairs, what comes first last. */
function equalOutside(left: unknown, right: unknown, pending: unknown[]): boolean {
  if (isList(left)) return isList(right) && equalLists(left, right, pending);
  if (isObject(left)) return isObject(right) && equalObjects(left, right, pending);
  return false;
}

function equalLists(left: readonly unknown[], right: readonly unknown[], pending: unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = left.length - 1; index >= 0; index--) pending.push(left[index], right[index]);
  return true;
}

function equalObjects(left: JsonObject, right: JsonObject, pending: unknown[]): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] ?? "";
    if (!Object.hasOwn(right, key)) return false;
    pending.push(left[key], right[key]);
  }
  return true;
}
