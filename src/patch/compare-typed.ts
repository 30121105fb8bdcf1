import { child, deducedNode, equal, fieldOf, type ListNode, type SchemaNode } from "../schema/index.ts";
import { type FieldElement, fieldElement, printPath } from "./field-element.ts";
import type { FieldSet } from "./field-set.ts";
import { FieldSetBuilder } from "./field-set-builder.ts";
import { elementFaults, elementsIn, keyless } from "./list-elements.ts";
import { listIn, objectIn, type Shape, shapeOf } from "./shape.ts";
import { requireDepth, requireNone } from "./typed-error.ts";

/** What a write changes. A place is in two of the sets only where elements begin or cease to repeat. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * How two values differ, place by place: scalars and atomic values as a whole, elements of sets and map lists by what
 * tells them apart, wherever they stand. Something that comes or goes is in the set with all that is in it. Throws a
 * `TypedError` where an element has nothing to tell it apart.
 */
export function compareTyped(live: unknown, next: unknown, node: SchemaNode): Comparison {
  const walk = new CompareWalk();
  walk.visit(live, next, node);
  requireNone(walk.faults);
  return { added: walk.added.build(), modified: walk.modified.build(), removed: walk.removed.build() };
}

class CompareWalk {
  readonly added: FieldSetBuilder = new FieldSetBuilder();
  readonly modified: FieldSetBuilder = new FieldSetBuilder();
  readonly removed: FieldSetBuilder = new FieldSetBuilder();
  readonly faults: string[] = [];
  readonly #path: FieldElement[] = [];

  /** Compares what stands at the path before and after; `undefined` where nothing does. */
  visit(live: unknown, next: unknown, node: SchemaNode): void {
    if (live === next) return;
    let isLeaf = false;
    for (const shape of shapesOf(live, next, node)) isLeaf = this.#visitAs(shape, { live, next, node });
    if (isLeaf) return;
    if (live === undefined) this.added.insert(this.#path);
    if (next === undefined) this.removed.insert(this.#path);
  }

  /** Whether what stands here is one value, with nothing to be told apart in it. */
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
    const [live, next] = [objectIn(place.live), objectIn(place.next)];
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
    const [live, next] = [listIn(place.live), listIn(place.next)];
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
      for (const fault of elementFaults(list, node)) this.faults.push(`${path}: ${fault}`);
    }
    return found;
  }

  /** Elements that repeat cannot be told apart: they are one value, with nothing inside. */
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

  /** Visits the last step of the path, then takes it back. */
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

/** Two where a value changes its shape: each is then compared as far as the other can be taken for the same. */
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
