import type { ValueCounter } from "../protobuf/message-reader.ts";
import type { ServerRequest } from "../types/exchange.ts";
import type { Resource } from "../types/resource.ts";
import { tooLarge } from "../types/status-error.ts";

/** Maximum length of a request body in bytes, as on kube-apiserver. */
export const maxBodyBytes: number = 3 * 1024 * 1024;

/**
 * Maximum number of fields and list elements in a JSON or protobuf body. A write goes through an object more than ten times. Within
 * this limit, no single pass holds the event loop for more than about 100 ms. An object of 1.5 MB, which is the most
 * that etcd stores, rarely has as many.
 */
const maxValues = 30_000;

/**
 * Maximum of a JSON patch: the 10,000 operations that kube-apiserver accepts have up to 50,000 fields, most of them
 * short.
 */
const maxPatchValues = 50_000;

/** Maximum of a CustomResourceDefinition: long schemas have far more fields than other objects. */
const maxDefinitionValues = 200_000;

/** Throws a `StatusError` if the body is too long. */
export function checkBodyLength({ body }: ServerRequest): void {
  if (body.length > maxBodyBytes) throw tooLarge(`Request entity too large: limit is ${maxBodyBytes}`);
}

/** Throws a `StatusError` if a JSON body has too many fields and list elements. */
export function checkValues(body: Buffer, kind: Pick<Resource, "group" | "kind">): void {
  limitValues(body, limitOf(kind));
}

/** Returns a counter that throws a `StatusError` if a protobuf body has too many fields and list elements. */
export function valueCounter(kind: Pick<Resource, "group" | "kind">): ValueCounter {
  const limit = limitOf(kind);
  let count = 0;
  const add = (more: number) => {
    count += more;
    if (count > limit) throw tooManyValues(limit);
  };
  return { add, addJson: (text) => add(countValues(text, limit)) };
}

function limitOf({ group, kind }: Pick<Resource, "group" | "kind">): number {
  const isDefinition = kind === "CustomResourceDefinition" && group === "apiextensions.k8s.io";
  return isDefinition ? maxDefinitionValues : maxValues;
}

/** Throws a `StatusError` if a JSON patch has too many fields and list elements. */
export function checkPatchValues(body: Buffer): void {
  limitValues(body, maxPatchValues);
}

function limitValues(body: Buffer, limit: number): void {
  if (body.length <= limit || countValues(body, limit) <= limit) return;
  throw tooManyValues(limit);
}

function tooManyValues(limit: number): Error {
  return tooLarge(`Request entity too large: limit is ${limit} fields and list elements`);
}

/**
 * Counts the fields and list elements of a JSON text, and its empty objects and lists once more. Stops soon after the
 * limit. The count of a text that is not JSON is meaningless.
 */
function countValues(text: Buffer, limit: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= limit; at += 1) {
    const byte = text[at];
    if (byte === quote) at = endOfString(text, at);
    else if (byte === comma || byte === brace || byte === bracket) count += 1;
  }
  return count;
}

/** Returns the index of the quote that ends a string, or the end of the text. */
function endOfString(text: Buffer, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
  return at;
}

const [quote, comma, bracket, backslash, brace] = Buffer.from('",[\\{');
