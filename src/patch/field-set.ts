import { type FieldElement, type FieldPath, sortElements } from "./field-element.ts";

/**
 * A set of places in an object: what a manager owns, what a write changed.
 *
 * A tree of steps. Each node says whether the place it stands for is itself in the set; having an element of a list
 * in the set says nothing about the fields in it, nor the other way round. Immutable: the operations give back the
 * very same set, or parts of it, where nothing changes. No node below the root is empty.
 */
export class FieldSet {
  /** Whether this place itself is in the set. Of no meaning at the root. */
  readonly self: boolean;
  /** What of the set is below this place. */
  readonly children: ReadonlyMap<FieldElement, FieldSet>;

  /** @param children of which none is empty. */
  constructor(self: boolean, children: ReadonlyMap<FieldElement, FieldSet>) {
    this.self = self;
    this.children = children;
  }

  static get empty(): FieldSet {
    return empty;
  }

  /** One place, with nothing below it. */
  static get leaf(): FieldSet {
    return leaf;
  }

  static of(...paths: readonly FieldPath[]): FieldSet {
    return FieldSet.unionOf(paths.map(onePath));
  }

  /** What is in any of the sets. Unlike a chain of `union`, it copies no children more than once. */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    const filled = sets.filter((set) => !set.isEmpty);
    const [first, ...others] = filled;
    if (!first) return FieldSet.empty;
    if (others.every((other) => other === first)) return first;
    const below = new Map<FieldElement, FieldSet[]>();
    for (const [element, set] of filled.flatMap(({ children }) => [...children])) {
      const same = below.get(element);
      if (same) same.push(set);
      else below.set(element, [set]);
    }
    const children = Array.from(below, ([element, same]) => [element, FieldSet.unionOf(same)] as const);
    return new FieldSet(
      filled.some(({ self }) => self),
      new Map(children),
    );
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
    return this.#change(this.self && !other.self, other, (mine, theirs) => mine.difference(theirs));
  }

  /** What is neither in the other set nor below a place in it. */
  outside(other: FieldSet): FieldSet {
    return this.#change(this.self, other, (mine, theirs) =>
      theirs.self ? FieldSet.empty : mine.outside(theirs),
    );
  }

  /** What is in both sets. */
  intersection(other: FieldSet): FieldSet {
    const [few, many] = this.children.size < other.children.size ? [this, other] : [other, this];
    const both = Array.from(few.children, ([element, set]) => {
      const same = many.children.get(element);
      return [element, same ? set.intersection(same) : FieldSet.empty] as const;
    });
    return setOf(this.self && other.self, both);
  }

  /** The places of the set with nothing of the set below them. */
  leaves(): FieldSet {
    const children = Array.from(this.children, ([element, set]) => [element, set.leaves()] as const);
    return setOf(this.self && this.children.size === 0, children);
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

  /** This set with the children that the other has too as `change` makes them; the rest stays. */
  #change(self: boolean, other: FieldSet, change: (mine: FieldSet, theirs: FieldSet) => FieldSet): FieldSet {
    let changed: Map<FieldElement, FieldSet> | undefined;
    // There may be many small sets and one large one, so only the elements of the smaller are looked at.
    const few = this.children.size < other.children.size ? this.children : other.children;
    for (const element of few.keys()) {
      const [mine, theirs] = [this.children.get(element), other.children.get(element)];
      const after = mine && theirs && change(mine, theirs);
      if (!after || after === mine) continue;
      changed ??= new Map(this.children);
      if (after.isEmpty) changed.delete(element);
      else changed.set(element, after);
    }
    return changed || self !== this.self ? new FieldSet(self, changed ?? this.children) : this;
  }
}

const nothing: ReadonlyMap<FieldElement, FieldSet> = new Map();
const empty = new FieldSet(false, nothing);
const leaf = new FieldSet(true, nothing);

/** A set of the children that are not empty. */
function setOf(self: boolean, children: Iterable<readonly [FieldElement, FieldSet]>): FieldSet {
  const kept = new Map<FieldElement, FieldSet>();
  for (const [element, set] of children) if (!set.isEmpty) kept.set(element, set);
  return self || kept.size > 0 ? new FieldSet(self, kept) : FieldSet.empty;
}

function onePath(path: FieldPath): FieldSet {
  return path.reduceRight((set, element) => new FieldSet(false, new Map([[element, set]])), FieldSet.leaf);
}
