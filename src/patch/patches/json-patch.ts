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
      throw inapplicable(`expected add, remove, replace, move, copy or test, got ${operation.op}`);
  }
}

function add(draft: CopyOnWriteDocument, path: string | undefined, value: unknown): void {
  const { parent, key } = locate(draft, path);
  if (!insertAt(parent, key, value)) throw missing(path);
}

function remove(draft: CopyOnWriteDocument, path: string | undefined): void {
  const { parent, key } = locate(draft, path);
  if (!removeAt(parent, key)) throw missing(path);
}

function replace(draft: CopyOnWriteDocument, { path, value }: JsonPatchOperation): void {
  if (path === "") return replaceAll(draft, value);
  const { parent, key } = locate(draft, path);
  if (!isReachable(parent, key)) throw missing(path);
  setAt(parent, key, value);
}

function replaceAll(draft: CopyOnWriteDocument, value: unknown): void {
  if (!isObject(value) && !isArray(value)) throw inapplicable("expected an object or a list as the whole");
  draft.replace(value);
}

function move(draft: CopyOnWriteDocument, { from, path }: JsonPatchOperation): void {
  const value = read(draft, from);
  remove(draft, from);
  add(draft, path, value);
}

function copy(draft: CopyOnWriteDocument, { from, path }: JsonPatchOperation, budget: Budget): void {
  const value = read(draft, from);
  budget.copied += jsonSize(value, maxCopiedBytes);
  if (budget.copied > maxCopiedBytes)
    throw inapplicable(`expected copies of ${maxCopiedBytes} bytes at most, got more`);
  draft.share(value);
  add(draft, path, value);
}

function test(draft: CopyOnWriteDocument, { path, value, nonCanonical }: JsonPatchOperation): void {
  const found = path === "" ? draft.root : read(draft, path);
  if (nonCanonical || !equal(found, value)) throw inapplicable(`expected another value at ${path}`);
}

/** Returns the value at the path, or `null` for a missing key of an object. */
function read(draft: CopyOnWriteDocument, path: string | undefined): unknown {
  const { parent, key } = locate(draft, path);
  if (!isReachable(parent, key)) throw missing(path);
  return valueAt(parent, key) ?? null;
}

interface Place {
  readonly parent: Container;
  readonly key: string;
}

function locate(draft: CopyOnWriteDocument, path: string | undefined): Place {
  const keys = path === undefined ? undefined : pointerKeys(path);
  const parent = keys && draft.parentOf(keys);
  const key = keys?.at(-1);
  if (!parent || key === undefined) throw missing(path);
  return { parent, key };
}

function missing(path: string | undefined): Error {
  return inapplicable(
    path === undefined ? "expected a path, got none" : `expected something at ${path}, got nothing`,
  );
}
