import { type Kind, kindName, type ObjectMeta, type OwnerReference } from "../../api/index.ts";

/** An object, or an owner that other objects name and that was not seen. */
export interface GraphNode {
  readonly uid: string;
  /** `undefined` for an owner that was not seen. */
  kind: Kind | undefined;
  /** How the object is named. For an owner that was not seen: as its dependents name it. */
  reference: Reference;
  owners: readonly OwnerReference[];
  readonly dependents: Set<GraphNode>;
  /** True for an object that was seen and then deleted. A uid never exists again. */
  readonly deleted: boolean;
  /** True if the object is terminating. */
  terminating: boolean;
  /** Finalizers of the object that the garbage collector handles. */
  finalizer: "orphan" | "foregroundDeletion" | undefined;
}

/** An object that was seen. */
export type SeenNode = GraphNode & { readonly kind: Kind };

export function isSeen(node: GraphNode): node is SeenNode {
  return node.kind !== undefined;
}

export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The objects of a server and which owns which, by their uids. */
export class DependencyGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** Notified of nodes that may have to be deleted, released or finished. */
  readonly #onSuspect: (node: GraphNode) => void;

  constructor(onSuspect: (node: GraphNode) => void) {
    this.#onSuspect = onSuspect;
  }

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Adds an object, or its new version. */
  put(kind: Kind, apiVersion: string, metadata: ObjectMeta): void {
    const { uid, namespace, name, deletionTimestamp, finalizers = [], ownerReferences = [] } = metadata;
    const known = this.#nodes.get(uid);
    if (known?.deleted) return; // a late event of another watch
    const node = known ?? this.#add(uid);
    const before = { terminating: node.terminating, finalizer: node.finalizer };
    node.kind = kind;
    node.reference = { apiVersion, kind: kind.kind, namespace, name };
    node.terminating = deletionTimestamp !== undefined;
    node.finalizer = gcFinalizers.find((each) => finalizers.includes(each));
    const owned = this.#setOwners(node, ownerReferences);
    const ending = node.terminating && (!before.terminating || before.finalizer !== node.finalizer);
    if (ending || (owned && !this.hasLiveOwners(node))) this.#onSuspect(node);
    if (node.terminating && !before.terminating && node.finalizer === "foregroundDeletion")
      this.#suspectDependents(node);
  }

  /** Removes an object that was deleted. Its dependents have an owner less. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (!node) return;
    this.#nodes.delete(uid);
    for (const { uid: owner } of node.owners) {
      const found = this.#nodes.get(owner);
      found?.dependents.delete(node);
      if (found?.terminating) this.#onSuspect(found);
      if (found && !found.kind && found.dependents.size === 0) this.#nodes.delete(owner);
    }
    this.#suspectDependents(node);
    // Dependents keep naming the owner until they are deleted too, or released.
    if (node.dependents.size === 0) return;
    const gone = { ...unseen(uid, node.reference), deleted: true, dependents: node.dependents };
    this.#nodes.set(uid, gone);
  }

  /** Returns true if all owners were seen where the object names them, and none waits for its dependents. */
  hasLiveOwners({ owners, reference: { namespace } }: GraphNode): boolean {
    return owners.every((owner) => {
      const node = this.#nodes.get(owner.uid);
      if (!node?.kind || !isNamedBy(node.reference, owner)) return false;
      const inReach = node.reference.namespace === undefined || node.reference.namespace === namespace;
      return inReach && node.finalizer !== "foregroundDeletion";
    });
  }

  /** Removes all objects of a kind whose definition was deleted, because they were deleted with it. */
  removeKind(kind: string): void {
    for (const { uid } of this.#ofKind(kind)) this.remove(uid);
  }

  /** Removes all objects of a kind that is not served any more. They count as unseen, not as deleted. */
  forget(kind: string): void {
    for (const node of this.#ofKind(kind)) {
      for (const owner of node.owners) this.#nodes.get(owner.uid)?.dependents.delete(node);
      if (node.dependents.size === 0) this.#nodes.delete(node.uid);
      Object.assign(node, { kind: undefined, owners: [], terminating: false, finalizer: undefined });
    }
  }

  #ofKind(name: string): GraphNode[] {
    return [...this.#nodes.values()].filter(({ kind }) => kind && kindName(kind) === name);
  }

  /** @returns true if there are owners, and they have changed */
  #setOwners(node: GraphNode, owners: readonly OwnerReference[]): boolean {
    const before = node.owners;
    node.owners = owners;
    const removed = before.filter(({ uid }) => !owners.some((owner) => owner.uid === uid));
    const unblocked = before.filter(
      ({ uid, blockOwnerDeletion }) =>
        blockOwnerDeletion && !owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
    );
    for (const { uid } of removed) this.#nodes.get(uid)?.dependents.delete(node);
    for (const owner of owners) this.#link(node, owner);
    for (const { uid } of new Set([...removed, ...unblocked])) {
      const owner = this.#nodes.get(uid);
      if (owner?.terminating) this.#onSuspect(owner);
    }
    return owners.length > 0 && !isSame(before, owners);
  }

  #link(node: GraphNode, { uid, apiVersion, kind, name }: OwnerReference): void {
    const reference = { apiVersion, kind, name, namespace: node.reference.namespace };
    const owner = this.#nodes.get(uid) ?? this.#add(uid, reference);
    owner.dependents.add(node);
  }

  #add(uid: string, reference: Reference = nowhere): GraphNode {
    const node = unseen(uid, reference);
    this.#nodes.set(uid, node);
    return node;
  }

  #suspectDependents({ dependents }: GraphNode): void {
    for (const dependent of dependents) this.#onSuspect(dependent);
  }
}

function unseen(uid: string, reference: Reference): GraphNode {
  const nothing = { kind: undefined, owners: [], terminating: false, finalizer: undefined };
  return { ...nothing, uid, reference, dependents: new Set(), deleted: false };
}

const gcFinalizers = ["orphan", "foregroundDeletion"] as const;

const nowhere: Reference = { apiVersion: "", kind: "", namespace: undefined, name: "" };

/** Versions of one group name the same object. */
function isNamedBy({ apiVersion, kind, name }: Reference, owner: OwnerReference): boolean {
  return name === owner.name && kind === owner.kind && groupOf(apiVersion) === groupOf(owner.apiVersion);
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

function isSame(before: readonly OwnerReference[], after: readonly OwnerReference[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ uid, blockOwnerDeletion }, index) => {
      const other = after[index];
      return other?.uid === uid && Boolean(other.blockOwnerDeletion) === Boolean(blockOwnerDeletion);
    })
  );
}
