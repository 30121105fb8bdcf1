import { type FieldElement, type FieldPath, sortElements } from "./field-element.ts";

/**
 * A set of places in an object: what a manager owns, what a write changed.
 *
 * A tree of steps. Each node says whether the place it stands for is itself in the set; having an element of a list
 * in the set says nothing about the fields in it, nor the other way round. Immutable: the operations give back the
 * very same set, or parts of it, where nothing changes. No node below the root is empty.
 */
export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(false, new Map());

  /** Whether this place itself is in the set. Of no meaning at the root. */
  readonly self: boolean;
  /** What of the set is below this place. */
  readonly children: ReadonlyMap<FieldElement, FieldSet>;

  /** @param children of which none is empty. */
  constructor(self: boolean, children: ReadonlyMap<FieldElement, FieldSet>) {
    this.self = self;
    this.children = children;
  }

  static of(...paths: readonly FieldPath[]): FieldSet {
    return paths.reduce((set, path) => set.union(onePath(path)), FieldSet.empty);
  }

  get isEmpty(): boolean {
    return !this.self && this.children.size === 0;
  }

  has(path: FieldPath): boolean {
    let at: FieldSet | undefined = this;
    for (const element of path) at = at?.children.get(element);
    return at?.self ?? false;
  }

  /** What is in either set. */
  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    const children = new Map(this.children);
    for (const [element, theirs] of other.children) {
      children.set(element, children.get(element)?.union(theirs) ?? theirs);
    }
    return new FieldSet(this.self || other.self, children);
  }

  /** What is not in the other set. What is below a place that leaves stays. */
  difference(other: FieldSet): FieldSet {
    const self = this.self && !other.self;
    return this.#each(self, (mine, theirs) => (theirs ? mine.difference(theirs) : mine), other);
  }

  /** What is neither in the other set nor below a place in it. */
  outside(other: FieldSet): FieldSet {
    const keep = (mine: FieldSet, theirs: FieldSet | undefined): FieldSet => {
      if (!theirs) return mine;
      return theirs.self ? FieldSet.empty : mine.outside(theirs);
    };
    return this.#each(this.self, keep, other);
  }

  /** What is in both sets. */
  intersection(other: FieldSet): FieldSet {
    const self = this.self && other.self;
    return this.#each(self, (mine, theirs) => (theirs ? mine.intersection(theirs) : FieldSet.empty), other);
  }

  /** The places of the set with nothing of the set below them. */
  leaves(): FieldSet {
    return this.#each(this.self && this.children.size === 0, (mine) => mine.leaves(), this);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.self !== other.self || this.children.size !== other.children.size) return false;
    for (const [element, mine] of this.children) {
      const theirs = other.children.get(element);
      if (!theirs || !mine.equals(theirs)) return false;
    }
    return true;
  }

  /** The places in the set, in the server's order: those one step away, then what is below each step. */
  *paths(prefix: FieldPath = []): Generator<FieldPath> {
    const sorted = sortElements(this.children.keys());
    for (const element of sorted) if (this.children.get(element)?.self) yield [...prefix, element];
    for (const element of sorted) yield* this.children.get(element)?.paths([...prefix, element]) ?? [];
  }

  /** This set with each child as `change` makes it, beside the other set's child at the same step. */
  #each(
    self: boolean,
    change: (mine: FieldSet, theirs: FieldSet | undefined) => FieldSet,
    other: FieldSet,
  ): FieldSet {
    const children = new Map<FieldElement, FieldSet>();
    let same = self === this.self;
    for (const [element, mine] of this.children) {
      const changed = change(mine, other.children.get(element));
      if (!changed.isEmpty) children.set(element, changed);
      if (changed !== mine) same = false;
    }
    return same ? this : new FieldSet(self, children);
  }
}

function onePath(path: FieldPath): FieldSet {
  const leaf = new FieldSet(true, new Map());
  return path.reduceRight((set, element) => new FieldSet(false, new Map([[element, set]])), leaf);
}
