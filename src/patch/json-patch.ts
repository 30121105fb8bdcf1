import { equal, isArray, isObject } from "../schema/index.ts";
import { type Container, insertAt, reaches, removeAt, setAt, valueAt } from "./container.ts";
import { Draft } from "./draft.ts";
import { type PatchStep, readSteps } from "./json-patch-steps.ts";
import { pointerKeys } from "./json-pointer.ts";
import { jsonSize } from "./json-size.ts";
import { inapplicable } from "./patch-error.ts";
import type { PatchOptions } from "./patch-options.ts";

/**
 * The document after the steps of a JSON patch (RFC 6902), or a `PatchError` if one of them fails.
 *
 * It differs from the RFC as the real server does: `replace` adds a key that is missing, a missing key tests equal to
 * `null` and is copied as `null`, negative places count from the end of a list. The result shares with its arguments
 * what did not change, and may be no object: a patch can replace the whole.
 */
export function applyJsonPatch(document: unknown, patch: unknown, options: PatchOptions = {}): unknown {
  const draft = new Draft(document);
  const budget: Budget = { copied: 0 };
  for (const step of readSteps(patch, options)) perform(draft, step, budget);
  return draft.root;
}

/** How much `copy` may add, in bytes of all copies of a patch. */
const mostCopied = 3 * 1024 * 1024;

interface Budget {
  copied: number;
}

function perform(draft: Draft, step: PatchStep, budget: Budget): void {
  switch (step.op) {
    case "add":
      return add(draft, step.path, step.value);
    case "remove":
      return remove(draft, step.path);
    case "replace":
      return replace(draft, step);
    case "move":
      return move(draft, step);
    case "copy":
      return copy(draft, step, budget);
    case "test":
      return test(draft, step);
    default:
      throw inapplicable(`expected add, remove, replace, move, copy or test, got ${step.op}`);
  }
}

function add(draft: Draft, path: string | undefined, value: unknown): void {
  const { holder, key } = locate(draft, path);
  if (!insertAt(holder, key, value)) throw missing(path);
}

function remove(draft: Draft, path: string | undefined): void {
  const { holder, key } = locate(draft, path);
  if (!removeAt(holder, key)) throw missing(path);
}

function replace(draft: Draft, { path, value }: PatchStep): void {
  if (path === "") return replaceAll(draft, value);
  const { holder, key } = locate(draft, path);
  if (!reaches(holder, key)) throw missing(path);
  setAt(holder, key, value);
}

function replaceAll(draft: Draft, value: unknown): void {
  if (!isObject(value) && !isArray(value)) throw inapplicable("expected an object or a list as the whole");
  draft.replace(value);
}

function move(draft: Draft, { from, path }: PatchStep): void {
  const value = read(draft, from);
  remove(draft, from);
  add(draft, path, value);
}

function copy(draft: Draft, { from, path }: PatchStep, budget: Budget): void {
  const value = read(draft, from);
  budget.copied += jsonSize(value, mostCopied);
  if (budget.copied > mostCopied)
    throw inapplicable(`expected copies of ${mostCopied} bytes at most, got more`);
  draft.share(value);
  add(draft, path, value);
}

function test(draft: Draft, { path, value, odd }: PatchStep): void {
  const found = path === "" ? draft.root : read(draft, path);
  if (odd || !equal(found, value)) throw inapplicable(`expected another value at ${path}`);
}

/** What is at the path. `null` where an object has nothing under the last key. */
function read(draft: Draft, path: string | undefined): unknown {
  const { holder, key } = locate(draft, path);
  if (!reaches(holder, key)) throw missing(path);
  return valueAt(holder, key) ?? null;
}

interface Place {
  readonly holder: Container;
  readonly key: string;
}

function locate(draft: Draft, path: string | undefined): Place {
  const keys = path === undefined ? undefined : pointerKeys(path);
  const holder = keys && draft.holderOf(keys);
  const key = keys?.at(-1);
  if (!holder || key === undefined) throw missing(path);
  return { holder, key };
}

function missing(path: string | undefined): Error {
  return inapplicable(
    path === undefined ? "expected a path, got none" : `expected something at ${path}, got nothing`,
  );
}
