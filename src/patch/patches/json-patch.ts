import { equal, isArray, isObject } from "../../schema/index.ts";
import { jsonSize } from "../values/json-size.ts";
import { type Container, insertAt, isReachable, removeAt, setAt, valueAt } from "./container.ts";
import { CopyOnWriteDocument } from "./copy-on-write-document.ts";
import { type JsonPatchOperation, readOperations } from "./json-patch-operations.ts";
import { pointerKeys } from "./json-pointer.ts";
import { inapplicable } from "./patch-error.ts";
import type { PatchOptions } from "./patch-options.ts";

/**
 * Applies a JSON patch (RFC 6902).
 *
 * It differs from the RFC like kube-apiserver: `replace` adds a missing key, a missing key tests equal to `null` and is
 * copied as `null`, and negative indexes count from the end of a list. The result shares unchanged parts with its
 * arguments. It may be a list, because a patch can replace the whole document.
 *
 * @throws {PatchError} if an operation fails
 */
export function applyJsonPatch(document: unknown, patch: unknown, options: PatchOptions = {}): unknown {
  const draft = new CopyOnWriteDocument(document);
  const budget: Budget = { copied: 0 };
  for (const operation of readOperations(patch, options)) perform(draft, operation, budget);
  return draft.root;
}

/** Maximum size in bytes of all values that one patch copies. */
const maxCopiedBytes = 3 * 1024 * 1024;

interface Budget {
  copied: number;
}

function perform(draft: CopyOnWriteDocument, operation: JsonPatchOperation, budget: Budget): void {
  switch (operation.op) {
    case "add":
      return add(draft, operation.path, operation.value);
    case "remove":
      return remove(draft, operation.path);
    case "replace":
      return replace(draft, operation);
    case "move":
      return move(draft, operation);
    case "copy":
      return copy(draft, operation, budget);
    case "test":
      return test(draft, operation);
    default:
      throw inapplicable(`Unexpected kind: ${operation.op ?? "unknown"}`);
  }
}

function add(draft: CopyOnWriteDocument, path: string | undefined, value: unknown): void {
  const { parent, key } = locate(
    draft,
    path,
    () => `add operation does not apply: doc is missing path: "${path}"`,
  );
  if (!insertAt(parent, key, value)) throw wrongIndex("add", path, key);
}

function remove(draft: CopyOnWriteDocument, path: string | undefined): void {
  const place = locate(draft, path, () => `remove operation does not apply: doc is missing path: "${path}"`);
  if (removeAt(place.parent, place.key)) return;
  if (Array.isArray(place.parent)) throw wrongIndex("remove", path, place.key);
  throw missing(`error in remove for path: '${path}': Unable to remove nonexistent key: ${place.key}`);
}

function replace(draft: CopyOnWriteDocument, { path, value }: JsonPatchOperation): void {
  if (path === "") return replaceAll(draft, value);
  const doing = "replace operation does not apply: doc is missing";
  const { parent, key } = locate(draft, path, () => `${doing} path: ${path}`);
  if (!isReachable(parent, key)) throw missing(`${doing} key: ${path}`);
  setAt(parent, key, value);
}

function replaceAll(draft: CopyOnWriteDocument, value: unknown): void {
  if (!isObject(value) && !isArray(value))
    throw inapplicable("replace operation value must be object or array: unknown object type");
  draft.replace(value);
}

function move(draft: CopyOnWriteDocument, { from, path }: JsonPatchOperation): void {
  const value = read(draft, from, () => `move operation does not apply: doc is missing from path: ${from}`);
  remove(draft, from);
  add(draft, path, value);
}

function copy(draft: CopyOnWriteDocument, { from, path }: JsonPatchOperation, budget: Budget): void {
  const value = read(draft, from, () => `copy operation does not apply: doc is missing from path: ${from}`);
  budget.copied += jsonSize(value, maxCopiedBytes);
  if (budget.copied > maxCopiedBytes)
    throw inapplicable(
      `Unable to complete the copy, the accumulated size increase of copy is ${budget.copied}, exceeding the limit ${maxCopiedBytes}`,
    );
  draft.share(value);
  add(draft, path, value);
}

function test(draft: CopyOnWriteDocument, { path, value, nonCanonical }: JsonPatchOperation): void {
  const absent = (): string => `test operation does not apply: is missing path: ${path}`;
  const found = path === "" ? draft.root : read(draft, path, absent);
  if (nonCanonical || !equal(found, value)) throw inapplicable(`testing value ${path} failed: test failed`);
}

/** Returns the value at the path, or `null` for a missing key of an object. */
function read(draft: CopyOnWriteDocument, path: string | undefined, absent: () => string): unknown {
  const { parent, key } = locate(draft, path, absent);
  if (!isReachable(parent, key)) throw missing(absent());
  return valueAt(parent, key) ?? null;
}

interface Place {
  readonly parent: Container;
  readonly key: string;
}

/** Finds the parent of the value at a path. Throws a `PatchError` with the text of `absent` if it does not exist. */
function locate(draft: CopyOnWriteDocument, path: string | undefined, absent: () => string): Place {
  const keys = path === undefined ? undefined : pointerKeys(path);
  const parent = keys && draft.parentOf(keys);
  const key = keys?.at(-1);
  if (path === undefined) throw missing("operation missing path field");
  if (!parent || key === undefined) throw missing(absent());
  return { parent, key };
}

function missing(text: string): Error {
  return inapplicable(`${text}: missing value`);
}

function wrongIndex(operation: string, path: string | undefined, key: string): Error {
  const index = /^[+-]?\d+$/.test(key)
    ? `Unable to access invalid index: ${Number(key)}: invalid index referenced`
    : `value was not a proper array index: '${key}': strconv.Atoi: parsing "${key}": invalid syntax`;
  return inapplicable(`error in ${operation} for path: '${path}': ${index}`);
}
