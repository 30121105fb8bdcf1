import type { Resource } from "./resource.ts";

/** A resource that was added or removed. */
export interface ResourceRegistryChange {
  readonly type: "added" | "removed";
  readonly resource: Resource;
}

interface ResourceIndex {
  readonly all: readonly Resource[];
  readonly groups: ReadonlySet<string>;
}

/** The served resources by group, version and plural. They can change at run time. */
export class ResourceRegistry {
  readonly #resources = new Map<string, Resource>();
  readonly #listeners = new Set<(change: ResourceRegistryChange) => void>();
  /** The results of `list` and `hasGroup`, computed again after a change. */
  #index: ResourceIndex | undefined;

  /** Adds a resource. Removes one of the same name first. */
  add(resource: Resource): void {
    this.remove(resource);
    this.#resources.set(nameOf(resource), resource);
    this.#notify({ type: "added", resource });
  }

  remove(name: ResourceName): void {
    const resource = this.#resources.get(nameOf(name));
    if (!resource) return;
    this.#resources.delete(nameOf(name));
    this.#notify({ type: "removed", resource });
  }

  get(name: ResourceName): Resource | undefined {
    return this.#resources.get(nameOf(name));
  }

  /** Returns all resources in the order in which they were added: the same array until a change. */
  list(): readonly Resource[] {
    return this.#current().all;
  }

  /** Returns true if a resource of the group is served. Unknown resources of known groups are refused differently. */
  hasGroup(group: string): boolean {
    return this.#current().groups.has(group);
  }

  /** Calls the listener after every change, until the result is disposed. */
  onChange(listener: (change: ResourceRegistryChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #current(): ResourceIndex {
    if (!this.#index) {
      const all = [...this.#resources.values()];
      this.#index = { all, groups: new Set(all.map(({ group }) => group)) };
    }
    return this.#index;
  }

  #notify(change: ResourceRegistryChange): void {
    this.#index = undefined;
    for (const listener of this.#listeners) listener(change);
  }
}

export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

function nameOf({ group, version, plural }: ResourceName): string {
  return `${group}/${version}/${plural}`;
}
