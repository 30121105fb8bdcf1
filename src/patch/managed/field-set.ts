import { type FieldElement, type FieldPath, sortElements } from "../values/field-element.ts";

/**
 * A set of paths of an object, such as the fields that a manager owns or that a write changed.
 *
 * A tree of steps. Each node states whether its own path is in the set, independently of the paths below it: owning a
 * list element does not mean owning its fields, and vice versa. Sets are immutable; operations return the same set, or
 * parts of it, where nothing changes. No node below the root is empty.
 */
export class FieldSet {
  /** True if the path of this node is in the set. Has no meaning at the root. */
  readonly self: boolean;
  /** The sets below this node. */
  readonly children: ReadonlyMap<FieldElement, FieldSet>;

  /** @param children Child sets, none of them empty. */
  constructor(self: boolean, children: ReadonlyMap<FieldElement, FieldSet>) {
    this.self = self;
    this.children = children;
  }

  static get empty(): FieldSet {
    return empty;
  }

  /** A single path without paths below it. */
  static get leaf(): FieldSet {
    return leaf;
  }

  static of(...paths: readonly FieldPath[]): FieldSet {
    return FieldSet.unionOf(paths.map(setOfPath));
  }

  /** Returns the union of several sets. Unlike a chain of `union`, it copies each map of children only once. */
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

  /** Returns the paths in either set. */
  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    const children = new Map(this.children);
    for (const [element, theirs] of other.children) {
      children.set(element, children.get(element)?.union(theirs) ?? theirs);
    }
    return new FieldSet(this.self || other.self, children);
  }

  /** Returns the paths that are not in the other set. Keeps paths below a removed path. */
  difference(other: FieldSet): FieldSet {
    return this.#change(this.self && !other.self, other, (mine, theirs) => mine.difference(theirs));
  }

  /** Returns the paths that are neither in the other set nor below one of its paths. */
  outside(other: FieldSet): FieldSet {
    return this.#change(this.self, other, (mine, theirs) =>
      theirs.self ? FieldSet.empty : mine.outside(theirs),
    );
  }

  /** Returns the paths in both sets. */
  intersection(other: FieldSet): FieldSet {
    const [smaller, larger] = this.children.size < other.children.size ? [this, other] : [other, this];
    const both = Array.from(smaller.children, ([element, set]) => {
      const same = larger.children.get(element);
      return [element, same ? set.intersection(same) : FieldSet.empty] as const;
    });
    return setOf(this.self && other.self, both);
  }

  /** Returns the paths without paths below them. */
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

  /** Yields the paths in the server's order: those of one step, then those below each step. */
  *paths(prefix: FieldPath = []): Generator<FieldPath> {
    const sorted = sortElements(this.children.keys());
    for (const element of sorted) if (this.children.get(element)?.self) yield [...prefix, element];
    for (const element of sorted) yield* this.children.get(element)?.paths([...prefix, element]) ?? [];
  }

  /** Returns this set with `change` applied to the children that both sets have. Other children stay. */
  #change(self: boolean, other: FieldSet, change: (mine: FieldSet, theirs: FieldSet) => FieldSet): FieldSet {
    let changed: Map<FieldElement, FieldSet> | undefined;
    // One set may be much larger than the other, so only the elements of the smaller one are visited.
    const smaller = this.children.size < other.children.size ? this.children : other.children;
    for (const element of smaller.keys()) {
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

const noChildren: ReadonlyMap<FieldElement, FieldSet> = new Map();
const empty = new FieldSet(false, noChildren);
const leaf = new FieldSet(true, noChildren);

/** Returns a set of the non-empty children. */
function setOf(self: boolean, children: Iterable<readonly [FieldElement, FieldSet]>): FieldSet {
  const nonEmpty = new Map<FieldElement, FieldSet>();
  for (const [element, set] of children) if (!set.isEmpty) nonEmpty.set(element, set);
  return self || nonEmpty.size > 0 ? new FieldSet(self, nonEmpty) : FieldSet.empty;
}

function setOfPath(path: FieldPath): FieldSet {
  return path.reduceRight((set, element) => new FieldSet(false, new Map([[element, set]])), FieldSet.leaf);
}
