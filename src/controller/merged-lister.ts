import {
  compareResourceVersions,
  type Frozen,
  type KubeObject,
  keyOf,
  type ObjectKey,
} from "../api/index.ts";
import type { IterateOptions, Iteration, Lister, Selection } from "../cache/index.ts";

/**
 * Reads several views of one kind as one cache. An object that is in more than one view is returned once, in its newest
 * version.
 */
export class MergedLister<T extends KubeObject> implements Lister<T> {
  readonly #views: (namespace?: string) => readonly Lister<T>[];

  /**
   * @param views Returns the views that may have objects of the namespace, at least one. Called for each read. May
   * throw.
   */
  constructor(views: (namespace?: string) => readonly Lister<T>[]) {
    this.#views = views;
  }

  get(key: ObjectKey | string): T | undefined {
    const views = this.#views(namespaceOf(key));
    return views.length === 1 ? views[0]?.get(key) : newestOf(views.map((view) => view.get(key)));
  }

  list(selection: Selection = {}): T[] {
    return merged(this.#views(selection.namespace).map((view) => view.list(selection)));
  }

  iterate(options: IterateOptions = {}): Iteration<T> {
    return mergedIteration(this.#views(options.namespace).map((view) => view.iterate(options)));
  }

  by(index: string, value: string): T[] {
    return merged(this.#views().map((view) => view.by(index, value)));
  }

  view(key: ObjectKey | string): Frozen<T> | undefined {
    const views = this.#views(namespaceOf(key));
    return views.length === 1 ? views[0]?.view(key) : newestOf(views.map((view) => view.view(key)));
  }

  views(selection: Selection = {}): Frozen<T>[] {
    return merged(this.#views(selection.namespace).map((view) => view.views(selection)));
  }

  viewsBy(index: string, value: string): Frozen<T>[] {
    return merged(this.#views().map((view) => view.viewsBy(index, value)));
  }

  keys(): Iterable<string> {
    const [first, ...others] = this.#views();
    if (others.length === 0 && first) return first.keys();
    return new Set(this.#views().flatMap((view) => [...view.keys()]));
  }
}

/** Returns the objects of all iterations, each once and in its newest version. */
export function mergedIteration<T extends KubeObject>(iterations: readonly Iteration<T>[]): Iteration<T> {
  return iterations.reduce((one, other) => one.merge(other, (a, b) => (isNewer(b, a) ? b : a)));
}

/** Returns the objects of all lists, each once and in its newest version. */
export function merged<O extends Versioned>(lists: readonly O[][]): O[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return first;
  const newest = new Map<string, O>();
  for (const object of lists.flat()) {
    const key = keyOf(object);
    const known = newest.get(key);
    if (!known || isNewer(object, known)) newest.set(key, object);
  }
  return [...newest.values()];
}

export function newestOf<O extends Versioned>(objects: readonly (O | undefined)[]): O | undefined {
  let newest: O | undefined;
  for (const object of objects) if (object && (!newest || isNewer(object, newest))) newest = object;
  return newest;
}

interface Versioned {
  readonly metadata: ObjectKey & { readonly resourceVersion: string };
}

function isNewer({ metadata: one }: Versioned, { metadata: other }: Versioned): boolean {
  return compareResourceVersions(one.resourceVersion, other.resourceVersion) > 0;
}

function namespaceOf(key: ObjectKey | string): string | undefined {
  if (typeof key !== "string") return key.namespace;
  const slash = key.indexOf("/");
  return slash < 0 ? undefined : key.slice(0, slash);
}
