import type { KubeObject } from "../api/index.ts";

/** Which fields an object was sent with empty. Copies of the object know it too, and no text tells it. */
const sentEmpty = Symbol("sent empty");

interface Marked {
  [sentEmpty]?: readonly string[];
}

/** Notes which of the fields were sent empty, of an object that is told without them. */
export function noteEmpty(object: KubeObject, sent: unknown, names: readonly string[]): void {
  const empty = names.filter((name) => !Object.hasOwn(object, name) && isEmptyIn(sent, name));
  if (empty.length > 0) (object as Marked)[sentEmpty] = empty;
}

function isEmptyIn(sent: unknown, name: string): boolean {
  const value: unknown = Object.hasOwn(Object(sent), name) ? Reflect.get(Object(sent), name) : undefined;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Whether the field was sent empty, and not left out. */
export function wasSentEmpty(object: object, name: string): boolean {
  return (object as Marked)[sentEmpty]?.includes(name) ?? false;
}
