import type { FieldElement, FieldPath } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import { requireDepth } from "./typed-error.ts";

/** Collects places one by one, and gives them as a `FieldSet` in the end. */
export class FieldSetBuilder {
  readonly #root: Draft = { self: false, children: new Map() };

  insert(path: FieldPath): void {
    requireDepth(path.length);
    let at = this.#root;
    for (const element of path) at = childOf(at, element);
    at.self = true;
  }

  build(): FieldSet {
    return finished(this.#root);
  }
}

interface Draft {
  self: boolean;
  readonly children: Map<FieldElement, Draft>;
}

function childOf(draft: Draft, element: FieldElement): Draft {
  const known = draft.children.get(element);
  if (known) return known;
  const made: Draft = { self: false, children: new Map() };
  draft.children.set(element, made);
  return made;
}

function finished({ self, children }: Draft): FieldSet {
  const sets = new Map<FieldElement, FieldSet>();
  for (const [element, draft] of children) sets.set(element, finished(draft));
  return new FieldSet(self, sets);
}
