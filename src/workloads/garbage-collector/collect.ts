import { type Kind, kind, metadataOnly, type OwnerReference, type PartialObject } from "../../api/index.ts";
import type { BoundedMap } from "../../base/index.ts";
import { type Client, isConflict, isNotFound, UnknownKindError } from "../../client/index.ts";
import type { EventRecorder } from "../../recorder/index.ts";
import { type DependencyGraph, type GraphNode, isSeen, type SeenNode } from "./dependency-graph.ts";

export interface Collector {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly graph: DependencyGraph;
  /** Uids of owners that do not exist: see `absentKey`. A uid never exists again, so an entry stays valid. */
  readonly absent: BoundedMap<true>;
  /** Uids of objects with an owner whose kind is not served. They are checked again when other kinds are served. */
  readonly undecided: Set<string>;
}

/** Deletes, releases or finishes an object, as its owners and finalizers require. Does nothing for one that stays. */
export async function collect(node: SeenNode, collector: Collector): Promise<void> {
  if (!node.terminating) return checkOwners(node, collector);
  if (node.finalizer === "orphan") return orphanDependents(node, collector);
  if (node.finalizer === "foregroundDeletion") return finishForeground(node, collector);
}

/** Removes the owner from its dependents, and then its finalizer. */
async function orphanDependents(node: SeenNode, { client }: Collector): Promise<void> {
  for (const dependent of [...node.dependents].filter(isSeen)) {
    await patchOwners(client, dependent, (owners) => owners.filter(({ uid }) => uid !== node.uid));
  }
  await removeFinalizer(client, node, "orphan");
}

/** Removes the finalizer of an owner whose blocking dependents are gone. */
async function finishForeground(node: SeenNode, { client }: Collector): Promise<void> {
  if (blockingDependents(node).length === 0) await removeFinalizer(client, node, "foregroundDeletion");
}

function blockingDependents(node: GraphNode): GraphNode[] {
  return [...node.dependents].filter(({ owners }) =>
    owners.some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion),
  );
}

interface Owners {
  readonly solid: readonly OwnerReference[];
  /** Owners that do not exist. */
  readonly dangling: readonly OwnerReference[];
  /** Owners that wait until their dependents are deleted. */
  readonly waiting: readonly OwnerReference[];
}

/** Deletes an object without an owner that stays, and removes the other owners from one that has such an owner. */
async function checkOwners(node: SeenNode, collector: Collector): Promise<void> {
  const { client } = collector;
  const live = await read(client, node);
  const references = live?.metadata.ownerReferences ?? [];
  if (!live || references.length === 0) return;
  const owners = await classify({ node, live, collector }, references);
  if (owners.solid.length > 0) {
    const gone = new Set([...owners.dangling, ...owners.waiting].map(({ uid }) => uid));
    if (gone.size > 0) await patchOwners(client, node, (all) => all.filter(({ uid }) => !gone.has(uid)));
    return;
  }
  if (owners.waiting.length > 0 && node.dependents.size > 0) return deleteForeground(node, live, client);
  await deleteExactly(client, node.kind, { live, propagation: propagationOf(live) });
}

/** A finalizer of the object decides what happens to its own dependents. */
function propagationOf({ metadata: { finalizers = [] } }: PartialObject): Propagation {
  if (finalizers.includes("orphan")) return "Orphan";
  return finalizers.includes("foregroundDeletion") ? "Foreground" : "Background";
}

/** Deletes the dependents of the object first. A cycle of objects that wait for each other stops blocking here. */
async function deleteForeground(node: SeenNode, live: PartialObject, client: Client): Promise<void> {
  const isCycle = [...node.dependents].some(isDeletingDependents);
  if (isCycle) {
    await patchOwners(client, node, (owners) =>
      owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    );
  }
  const current = isCycle ? await read(client, node) : live;
  if (current) await deleteExactly(client, node.kind, { live: current, propagation: "Foreground" });
}

function isDeletingDependents({ terminating, finalizer }: GraphNode): boolean {
  return terminating && finalizer === "foregroundDeletion";
}

/** An object whose owners are checked. */
interface Check {
  readonly node: SeenNode;
  readonly live: PartialObject;
  readonly collector: Collector;
}

async function classify(check: Check, references: readonly OwnerReference[]): Promise<Owners> {
  const states = await Promise.all(references.map((owner) => stateOf(owner, check)));
  const having = (state: OwnerState) => references.filter((_, index) => states[index] === state);
  return { solid: having("solid"), dangling: having("dangling"), waiting: having("waiting") };
}

type OwnerState = "solid" | "dangling" | "waiting";

async function stateOf(owner: OwnerReference, check: Check): Promise<OwnerState> {
  const { client, graph, absent, undecided } = check.collector;
  const { namespace } = check.node.reference;
  const known = graph.node(owner.uid);
  if (known?.deleted && (namespace || !known.reference.namespace)) return "dangling";
  const cached = absentKey(owner.uid, namespace);
  if (absent.has(cached)) return "dangling";
  const resolved = await resolveOwner(client, owner);
  if (!resolved) {
    undecided.add(check.node.uid);
    return "solid"; // a kind that is not served now may be served later
  }
  if (resolved.namespaced && !namespace) {
    reportOtherNamespace(owner, check);
    return "solid"; // without the owner's namespace its absence cannot be confirmed
  }
  const key = { namespace: resolved.namespaced ? namespace : undefined, name: owner.name };
  const found = await client.get(metadataOnly(resolved), key, { resourceVersion: "" });
  if (found?.metadata.uid === owner.uid) return isWaiting(found) ? "waiting" : "solid";
  absent.add(cached, true);
  if (isElsewhere(owner, check)) reportOtherNamespace(owner, check);
  return "dangling";
}

function isWaiting({ metadata: { deletionTimestamp, finalizers = [] } }: PartialObject): boolean {
  return deletionTimestamp !== undefined && finalizers.includes("foregroundDeletion");
}

/** Returns true if the owner exists in a namespace that is not the object's. */
function isElsewhere({ uid }: OwnerReference, { node, collector }: Check): boolean {
  const owner = collector.graph.node(uid);
  if (!owner?.kind?.namespaced) return false;
  return owner.reference.namespace !== node.reference.namespace;
}

function reportOtherNamespace({ apiVersion, kind: name, ...owner }: OwnerReference, check: Check): void {
  const { reference } = check.node;
  const { namespace = "" } = reference;
  const described = `${apiVersion}/${name}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}`;
  const text = `ownerRef [${described}] does not exist in namespace "${namespace}"`;
  const object = { apiVersion: reference.apiVersion, kind: reference.kind, metadata: check.live.metadata };
  check.collector.events.warning(object, "OwnerRefInvalidNamespace", text);
}

/** An owner may be absent from one namespace and exist in another. */
function absentKey(uid: string, namespace: string | undefined): string {
  return `${namespace ?? ""}/${uid}`;
}

async function resolveOwner(
  client: Client,
  { apiVersion, kind: name }: OwnerReference,
): Promise<Kind | undefined> {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  try {
    return await client.resolve(kind({ group, version, kind: name }));
  } catch (error) {
    if (error instanceof UnknownKindError) return undefined;
    throw error;
  }
}

/** Reads the object from the server. @returns `undefined` if it was deleted, also if another has its name now */
async function read(client: Client, { kind, reference, uid }: SeenNode): Promise<PartialObject | undefined> {
  const live = await client.get(metadataOnly(kind), reference, { resourceVersion: "" });
  return live?.metadata.uid === uid ? live : undefined;
}

type Propagation = "Background" | "Foreground" | "Orphan";

interface Deletion {
  readonly live: PartialObject;
  readonly propagation: Propagation;
}

/** Deletes this version of the object. If it has changed meanwhile, the deletion fails and is tried again. */
async function deleteExactly(
  client: Client,
  kind: Kind,
  { live: { metadata }, propagation }: Deletion,
): Promise<void> {
  const { uid, resourceVersion } = metadata;
  await client.delete(kind, metadata, { uid, resourceVersion, propagation });
}

async function patchOwners(
  client: Client,
  node: SeenNode,
  change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
): Promise<void> {
  const live = await read(client, node);
  const ownerReferences = live && change(live.metadata.ownerReferences ?? []);
  if (!ownerReferences) return;
  await patchMetadata(client, node.kind, {
    live,
    change: { ownerReferences: ownerReferences.length > 0 ? ownerReferences : null },
  });
}

async function removeFinalizer(client: Client, node: SeenNode, finalizer: string): Promise<void> {
  const live = await read(client, node);
  const { finalizers = [] } = live?.metadata ?? {};
  if (!live || !finalizers.includes(finalizer)) return;
  const others = finalizers.filter((each) => each !== finalizer);
  await patchMetadata(client, node.kind, { live, change: { finalizers: others } });
}

interface MetadataChange {
  readonly live: PartialObject;
  readonly change: object;
}

/** Changes this version of the object. Ignores that it was deleted meanwhile. */
async function patchMetadata(client: Client, kind: Kind, { live, change }: MetadataChange): Promise<void> {
  const { uid, resourceVersion } = live.metadata;
  try {
    const merge = { metadata: { uid, resourceVersion, ...change } };
    await client.patch(metadataOnly(kind), live.metadata, { merge });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns true for an error after which the node is checked again, and that is not worth a message. */
export function isOrdinary(error: unknown): boolean {
  return isConflict(error) || isNotFound(error);
}
