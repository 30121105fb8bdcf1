import { child, deducedNode, equal, fieldOf, type ListNode, type SchemaNode } from "../../schema/index.ts";
import { type FieldElement, fieldElement, printPath } from "../values/field-element.ts";
import { elementProblems, elementsIn, keyless } from "../values/list-elements.ts";
import { listOrEmpty, objectOrEmpty, type Shape, shapeOf } from "../values/shape.ts";
import { requireDepth, requireNone } from "../values/typed-error.ts";
import type { FieldSet } from "./field-set.ts";
import { FieldSetBuilder } from "./field-set-builder.ts";

/** The changes of a write. A path is in two sets only if elements start or stop repeating. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Compares two values path by path: scalars and atomic values as a whole, elements of sets and map lists by value or
 * keys at any position. An added or removed value is in its set with all paths below it.
 *
 * @throws {TypedError} if an element has no keys
 */
export function compareTyped(live: unknown, next: unknown, node: SchemaNode): Comparison {
  const walk = new CompareWalk();
  walk.visit(live, next, node);
  requireNone(walk.problems);
  return { added: walk.added.build(), modified: walk.modified.build(), removed: walk.removed.build() };
}

class CompareWalk {
  readonly added: FieldSetBuilder = new FieldSetBuilder();
  readonly modified: FieldSetBuilder = new FieldSetBuilder();
  readonly removed: FieldSetBuilder = new FieldSetBuilder();
  readonly problems: string[] = [];
  readonly #path: FieldElement[] = [];

  /** Compares the values at the current path. `undefined` means that there is no value. */
  visit(live: unknown, next: unknown, node: SchemaNode): void {
    if (live === next) return;
    let isLeaf = false;
    for (const shape of shapesOf(live, next, node)) isLeaf = this.#visitAs(shape, { live, next, node });
    if (isLeaf) return;
    if (live === undefined) this.added.insert(this.#path);
    if (next === undefined) this.removed.insert(this.#path);
  }

  /** Returns true if the value is a leaf: one value without paths below it. */
  #visitAs(shape: Shape, place: Place): boolean {
    if (shape === "object") return this.#visitObject(place);
    if (shape === "list") return this.#visitList(place);
    return this.#visitLeaf(place);
  }

  #visitLeaf({ live, next }: Place): true {
    if (live === undefined) this.added.insert(this.#path);
    else if (next === undefined) this.removed.insert(this.#path);
    else if (!equal(live, next)) this.modified.insert(this.#path);
    return true;
  }

  #visitObject(place: Place): boolean {
    const { node } = place;
    const [live, next] = [objectOrEmpty(place.live), objectOrEmpty(place.next)];
    const keys = Object.keys(live);
    const newKeys = Object.keys(next).filter((key) => !Object.hasOwn(live, key));
    if (node.object?.type === "atomic" || keys.length + newKeys.length === 0) return this.#visitLeaf(place);
    for (const key of [...keys, ...newKeys]) {
      this.#path.push(fieldElement(key));
      this.#descend(fieldOf(live, key), fieldOf(next, key), child(node, key) ?? deducedNode);
    }
    return false;
  }

  #visitList(place: Place): boolean {
    const [live, next] = [listOrEmpty(place.live), listOrEmpty(place.next)];
    const list = place.node.list;
    if (!list || list.type === "atomic" || live.length + next.length === 0) return this.#visitLeaf(place);
    const before = this.#byElement(live, list);
    const after = this.#byElement(next, list);
    for (const [element, values] of before) {
      this.#visitElements({ element, live: values, next: after.get(element) ?? [], node: list.items });
    }
    for (const [element, values] of after) {
      if (!before.has(element)) this.#visitElements({ element, live: [], next: values, node: list.items });
    }
    return false;
  }

  #byElement(list: readonly unknown[], node: ListNode): Map<FieldElement, unknown[]> {
    const found = byElement(list, node);
    if (found.delete(keyless)) {
      const path = printPath(this.#path);
      for (const problem of elementProblems(list, node)) this.problems.push(`${path}: ${problem}`);
    }
    return found;
  }

  /** Compares elements with the same key. Repeated elements are one value without paths below it. */
  #visitElements({ element, live, next, node }: Elements): void {
    this.#path.push(element);
    if (live.length > 1 && next.length > 1) {
      if (!equal(live, next)) this.modified.insert(this.#path);
      this.#path.pop();
      return;
    }
    if (live.length > 1) this.removed.insert(this.#path);
    if (next.length > 1) this.added.insert(this.#path);
    this.#descend(only(live), only(next), node);
  }

  /** Compares the values at the current path, then removes its last step. */
  #descend(live: unknown, next: unknown, node: SchemaNode): void {
    requireDepth(this.#path.length);
    if (live !== undefined || next !== undefined) this.visit(live, next, node);
    this.#path.pop();
  }
}

interface Place {
  readonly live: unknown;
  readonly next: unknown;
  readonly node: SchemaNode;
}

interface Elements {
  readonly element: FieldElement;
  readonly live: readonly unknown[];
  readonly next: readonly unknown[];
  readonly node: SchemaNode;
}

/** Returns the shapes to compare. There are two if a value changes its shape; it is then compared in both. */
function shapesOf(live: unknown, next: unknown, node: SchemaNode): readonly Shape[] {
  if (next === undefined) return [shapeOf(node, live)];
  const after = shapeOf(node, next);
  if (live === undefined) return [after];
  const before = shapeOf(node, live);
  return before === after ? [after] : [before, after];
}

function byElement(list: readonly unknown[], node: ListNode): Map<FieldElement, unknown[]> {
  const found = new Map<FieldElement, unknown[]>();
  for (const [index, element] of elementsIn(list, node).entries()) {
    const same = found.get(element);
    if (same) same.push(list[index]);
    else found.set(element, [list[index]]);
  }
  return found;
}

function only(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : undefined;
}
