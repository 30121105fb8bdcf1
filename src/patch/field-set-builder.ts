import type { FieldElement, FieldPath } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import { requireDepth } from "./typed-error.ts";

/** Collects places one by one, and gives them as a `FieldSet` in the end. */
export class FieldSetBuilder {
  readonly #root: Draft = new Draft();

  insert(path: FieldPath): void {
    requireDepth(path.length);
    let at = this.#root;
    for (const element of path) at = at.child(element);
    at.self = true;
  }

  build(): FieldSet {
    return finished(this.#root);
  }
}

/** Most places have nothing below them, and no map. */
class Draft {
  self = false;
  children: Map<FieldElement, Draft> | undefined;

  child(element: FieldElement): Draft {
    this.children ??= new Map();
    const known = this.children.get(element);
    if (known) return known;
    const made = new Draft();
    this.children.set(element, made);
    return made;
  }
}

function finished({ self, children }: Draft): FieldSet {
  if (!children) return self ? FieldSet.leaf : FieldSet.empty;
  const sets = new Map<FieldElement, FieldSet>();
  for (const [element, draft] of children) sets.set(element, finished(draft));
  return new FieldSet(self, sets);
}
