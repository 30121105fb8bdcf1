import { createHash } from "node:crypto";
import {
  type Frozen,
  isControlledBy,
  type Kind,
  type KubeObject,
  keyText,
  kindName,
  labelValueProblem,
  type Owner,
} from "../api/index.ts";
import { type CallOptions, type Client, isConflict } from "../client/index.ts";
import type { AppliedChildren, ApplyOwnedOptions, Child, PrunedChild } from "./child.ts";
import type { Controller } from "./controller.ts";
import type { DeclaredCache } from "./declared-cache.ts";
import { checkDistinct, childId, type PlacedChild, placedChild } from "./placed-child.ts";

/** Marks the objects that `applyOwned` applies, with the field manager of the controller. */
export const appliedByLabel = "trimtab.dev/applied-by";

/**
 * The sets of objects that one controller applies for its owners.
 *
 * An object belongs to an earlier set if its controller owner reference has the uid of the owner, and if its label
 * names this controller. It is found in the cache, own writes included. Every delete names the uid and the resource
 * version that were checked, so that no delete reaches an object that was replaced or released in the meantime.
 */
export class ChildSets {
  readonly #controller: Controller;
  readonly #cache: DeclaredCache;
  readonly #labels: Readonly<Record<string, string>>;
  /** Label values of this controller, also under its former field managers. */
  readonly #managers: ReadonlySet<string>;

  constructor(controller: Controller, cache: DeclaredCache) {
    const { fieldManager, options } = controller;
    this.#controller = controller;
    this.#cache = cache;
    this.#labels = { [appliedByLabel]: labelValue(fieldManager) };
    this.#managers = new Set([fieldManager, ...(options.formerFieldManagers ?? [])].map(labelValue));
  }

  /** Applies a set in its order, then deletes what the set no longer has. Stops at the first failure. */
  async apply(
    client: Client,
    owner: Owner,
    { children, dryRun = false, signal }: ChildSet,
  ): Promise<AppliedChildren<readonly Child[]>> {
    const placed = children.map((each) => placedChild(each, owner, this.#labels));
    checkDistinct(placed);
    for (const each of placed) this.#checkDeclared(each);
    const applied: KubeObject[] = [];
    for (const { kind, draft } of dryRun ? [] : placed) {
      applied.push(await client.apply(kind, draft, { owner, signal }));
    }
    const stale = this.#stale(owner, placed);
    const pruned: PrunedChild[] = [];
    for (const each of stale) {
      if (dryRun || (await this.#delete(client, owner, { ...each, signal }))) pruned.push(prunedChild(each));
    }
    return { applied, pruned };
  }

  /** The kinds that the controller declares with `owns`, in their order. */
  get #owned(): Kind[] {
    const { on = [] } = this.#controller.options;
    return on.flatMap((trigger) => (trigger.type === "owns" && !trigger.cluster ? trigger.kind : []));
  }

  /** Throws if the cache could not find the child again, because it would never be deleted then. */
  #checkDeclared({ kind, draft }: PlacedChild): void {
    const text = `${kindName(kind)} ${keyText(draft.metadata)}`;
    const declared = this.#owned.filter((each) => isSameKind(each, kind));
    if (declared.length === 0) {
      const owned = this.#owned.map(kindName).join(", ") || "none";
      throw new TypeError(
        `expected children of kinds that controller ${JSON.stringify(this.#controller.name)} owns (${owned}), ` +
          `got ${text}; add owns(${kind.kind}) to \`on\``,
      );
    }
    if (declared.some((each) => this.#cache.selects(each, draft.metadata))) return;
    throw new TypeError(
      `expected children that the cache of ${kindName(kind)} contains, got ${text}, which its namespaces or labels ` +
        `exclude; change the view of owns(${kind.kind})`,
    );
  }

  /** Returns the objects of earlier sets to delete: kinds in the reverse order of `on`, the newest objects first. */
  #stale(owner: Owner, children: readonly PlacedChild[]): FoundChild[] {
    const current = new Set(children.map(({ id }) => id));
    const found = new Map<string, FoundChild>();
    for (const kind of this.#owned.reverse()) {
      const objects = this.#cache.owned(kind, owner).sort(newestFirst);
      for (const object of objects) {
        const id = childId(kind, object.metadata);
        if (!current.has(id) && !found.has(id) && this.#isStale(object, owner))
          found.set(id, { kind, object });
      }
    }
    return [...found.values()];
  }

  /** Returns true if an earlier set of this controller and owner had the object, and it is not terminating. */
  #isStale(object: Frozen<KubeObject>, owner: Owner): boolean {
    const { labels, deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined || !isControlledBy(object, owner)) return false;
    return this.#managers.has(labels?.[appliedByLabel] ?? "");
  }

  /** Deletes an object unless another client has replaced or released it. Returns true if it did. */
  async #delete(
    client: Client,
    owner: Owner,
    { kind, object, signal }: FoundChild & CallOptions,
  ): Promise<boolean> {
    const { uid } = object.metadata;
    let { resourceVersion } = object.metadata;
    for (let left = maxConflicts; ; left--) {
      try {
        // Without the propagation, the server would orphan the Pods of a Job.
        const options = { uid, resourceVersion, propagation: "Background", signal } as const;
        await client.delete(kind, object.metadata, options);
        return true;
      } catch (error) {
        if (left === 0 || !isConflict(error)) throw error;
      }
      const newest = await readNewest(client, { kind, object, signal });
      if (newest?.metadata.uid !== uid || !this.#isStale(newest, owner)) return false;
      ({ resourceVersion } = newest.metadata);
    }
  }
}

export interface ChildSet extends ApplyOwnedOptions {
  readonly children: readonly Child[];
}

/** An object of an earlier set. */
interface FoundChild {
  readonly kind: Kind;
  readonly object: Frozen<KubeObject>;
}

/** A delete is tried again this often if the object has changed since it was read. */
const maxConflicts = 5;

/** Reads an object from the server. A field selector is never answered from a cache. */
async function readNewest(
  client: Client,
  { kind, object, signal }: FoundChild & CallOptions,
): Promise<KubeObject | undefined> {
  const { namespace, name } = object.metadata;
  const [newest] = await client.list(kind, { namespace, fields: { "metadata.name": name }, signal });
  return newest;
}

function prunedChild({ kind, object: { metadata } }: FoundChild): PrunedChild {
  const { namespace, name, uid } = metadata;
  return { kind, namespace, name, uid };
}

function newestFirst({ metadata: a }: Frozen<KubeObject>, { metadata: b }: Frozen<KubeObject>): number {
  if (a.creationTimestamp !== b.creationTimestamp) return a.creationTimestamp < b.creationTimestamp ? 1 : -1;
  return keyText(a) < keyText(b) ? 1 : -1;
}

function isSameKind(one: Kind, other: Kind): boolean {
  return one.group === other.group && one.kind === other.kind;
}

/** Returns a field manager as a label value: itself, or its hash if labels do not allow it. */
function labelValue(fieldManager: string): string {
  if (labelValueProblem(fieldManager) === undefined) return fieldManager;
  return createHash("sha256").update(fieldManager).digest("hex").slice(0, 40);
}
