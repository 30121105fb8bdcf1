import type { Resource } from "./resource.ts";

/** What changed about what is served. */
export interface ResourceRegistryChange {
  readonly type: "added" | "removed";
  readonly resource: Resource;
}

interface Known {
  readonly all: readonly Resource[];
  readonly groups: ReadonlySet<string>;
}

/** The resources that are served, by group, version and plural. They may come and go at run time. */
export class ResourceRegistry {
  readonly #resources = new Map<string, Resource>();
  readonly #listeners = new Set<(change: ResourceRegistryChange) => void>();
  /** What `list` and `hasGroup` say, made anew after a change. */
  #known: Known | undefined;

  /** Serves a resource. One of the same name is replaced: it is removed first. */
  add(resource: Resource): void {
    this.remove(resource);
    this.#resources.set(nameOf(resource), resource);
    this.#tell({ type: "added", resource });
  }

  remove(name: ResourceName): void {
    const resource = this.#resources.get(nameOf(name));
    if (!resource) return;
    this.#resources.delete(nameOf(name));
    this.#tell({ type: "removed", resource });
  }

  get(name: ResourceName): Resource | undefined {
    return this.#resources.get(nameOf(name));
  }

  /** All of them, in the order they were added: the same array until something changes. */
  list(): readonly Resource[] {
    return this.#current().all;
  }

  /** Whether anything of the group is served: unknown resources of known groups are refused differently. */
  hasGroup(group: string): boolean {
    return this.#current().groups.has(group);
  }

  /** Told of every change after it is made. Disposing it ends that. */
  onChange(listener: (change: ResourceRegistryChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #current(): Known {
    if (!this.#known) {
      const all = [...this.#resources.values()];
      this.#known = { all, groups: new Set(all.map(({ group }) => group)) };
    }
    return this.#known;
  }

  #tell(change: ResourceRegistryChange): void {
    this.#known = undefined;
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
