import type { FieldElement, FieldPath } from "../values/field-element.ts";
import { requireDepth } from "../values/typed-error.ts";
import { FieldSet } from "./field-set.ts";

/** Collects paths one by one and builds a `FieldSet`. */
export class FieldSetBuilder {
  readonly #root: MutableNode = new MutableNode();

  insert(path: FieldPath): void {
    requireDepth(path.length);
    let at = this.#root;
    for (const element of path) at = at.child(element);
    at.self = true;
  }

  build(): FieldSet {
    return toFieldSet(this.#root);
  }
}

/** A mutable node of the set. Most nodes have no children and therefore no map. */
class MutableNode {
  self = false;
  children: Map<FieldElement, MutableNode> | undefined;

  child(element: FieldElement): MutableNode {
    this.children ??= new Map();
    const existing = this.children.get(element);
    if (existing) return existing;
    const created = new MutableNode();
    this.children.set(element, created);
    return created;
  }
}

function toFieldSet({ self, children }: MutableNode): FieldSet {
  if (!children) return self ? FieldSet.leaf : FieldSet.empty;
  const sets = new Map<FieldElement, FieldSet>();
  for (const [element, draft] of children) sets.set(element, toFieldSet(draft));
  return new FieldSet(self, sets);
}
