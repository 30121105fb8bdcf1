import { type Kind, kind, metadataOnly, type OwnerReference, type PartialObject } from "../../api/index.ts";
import type { BoundedMap } from "../../base/index.ts";
import { type Client, isConflict, isNotFound, UnknownKindError } from "../../client/index.ts";
import type { EventRecorder } from "../../recorder/index.ts";
import type { GraphNode } from "./dependency-graph.ts";

export interface Collector {
  readonly client: Client;
  readonly events: EventRecorder;
  /** Uids of owners that do not exist: see `absentKey`. A uid never exists again, so an entry stays valid. */
  readonly absent: BoundedMap<true>;
}

/** Deletes, releases or finishes an object, as its owners and finalizers require. Does nothing for one that stays. */
export async function collect(node: GraphNode, collector: Collector): Promise<void> {
  if (!node.kind) return;
  if (node.terminating && node.finalizer === "orphan") return orphanDependents(node, node.kind, collector);
  const deletingDependents = node.terminating && node.finalizer === "foregroundDeletion";
  if (deletingDependents && (await finishForeground(node, node.kind, collector))) return;
  if (node.owners.length > 0 && (!node.terminating || deletingDependents))
    await checkOwners(node, node.kind, collector);
}

/** Removes the owner from its dependents, and then its finalizer. */
async function orphanDependents(node: GraphNode, kind: Kind, { client }: Collector): Promise<void> {
  for (const dependent of node.dependents) {
    if (dependent.kind)
      await patchOwners(client, dependent, dependent.kind, (owners) =>
        owners.filter(({ uid }) => uid !== node.uid),
      );
  }
  await removeFinalizer(client, node, kind, "orphan");
}

/** Removes the finalizer of an owner whose blocking dependents are gone. @returns true if it did */
async function finishForeground(node: GraphNode, kind: Kind, { client }: Collector): Promise<boolean> {
  if (blockingDependents(node).length > 0) return false;
  await removeFinalizer(client, node, kind, "foregroundDeletion");
  return true;
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

/** Deletes an object without an owner that stays, and removes the owners that do not exist from one that has others. */
async function checkOwners(node: GraphNode, kind: Kind, collector: Collector): Promise<void> {
  const { client } = collector;
  const live = await read(client, kind, node);
  if (live?.metadata.uid !== node.uid) return;
  const { ownerReferences = [] } = live.metadata;
  if (ownerReferences.length === 0) return;
  const owners = await classify(node, live, ownerReferences, collector);
  if (owners.solid.length > 0) {
    const gone = new Set([...owners.dangling, ...owners.waiting].map(({ uid }) => uid));
    if (gone.size > 0)
      await patchOwners(client, node, kind, (all) => all.filter(({ uid }) => !gone.has(uid)));
    return;
  }
  if (node.terminating) return;
  if (owners.waiting.length > 0 && node.dependents.size > 0)
    return deleteForeground(node, live, kind, collector);
  const { finalizers = [] } = live.metadata;
  const propagation = finalizers.includes("orphan")
    ? "Orphan"
    : finalizers.includes("foregroundDeletion")
      ? "Foreground"
      : "Background";
  await deleteExactly(client, kind, live, propagation);
}

/** Deletes the dependents of the object first. A dependent that waits for the object itself stops blocking it. */
async function deleteForeground(
  node: GraphNode,
  live: PartialObject,
  kind: Kind,
  { client }: Collector,
): Promise<void> {
  const cyclic = [...node.dependents].some(
    (each) => each.terminating && each.finalizer === "foregroundDeletion",
  );
  if (cyclic) {
    await patchOwners(client, node, kind, (owners) =>
      owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    );
    const current = await read(client, kind, node);
    if (current?.metadata.uid === node.uid) await deleteExactly(client, kind, current, "Foreground");
    return;
  }
  await deleteExactly(client, kind, live, "Foreground");
}

async function classify(
  node: GraphNode,
  live: PartialObject,
  references: readonly OwnerReference[],
  collector: Collector,
): Promise<Owners> {
  const states = await Promise.all(references.map((owner) => stateOf(owner, node, live, collector)));
  const having = (state: OwnerState) => references.filter((_, index) => states[index] === state);
  return { solid: having("solid"), dangling: having("dangling"), waiting: having("waiting") };
}

type OwnerState = "solid" | "dangling" | "waiting";

async function stateOf(
  owner: OwnerReference,
  node: GraphNode,
  live: PartialObject,
  { client, events, absent }: Collector,
): Promise<OwnerState> {
  const { namespace } = node.reference;
  const cached = absentKey(owner.uid, namespace);
  if (absent.has(cached)) return "dangling";
  const resolved = await resolveOwner(client, owner);
  if (!resolved) return "solid"; // a kind that is not served now may be served later
  if (resolved.namespaced && !namespace) {
    const text = `ownerRef [${describe(owner, namespace)}] does not exist in namespace "${namespace ?? ""}"`;
    events.warning(live, "OwnerRefInvalidNamespace", text);
    return "solid"; // without the owner's namespace its absence cannot be confirmed
  }
  const key = { namespace: resolved.namespaced ? namespace : undefined, name: owner.name };
  const found = await client.get(metadataOnly(resolved), key, { resourceVersion: "" });
  if (found?.metadata.uid !== owner.uid) {
    absent.add(cached, true);
    return "dangling";
  }
  const { deletionTimestamp, finalizers = [] } = found.metadata;
  return deletionTimestamp && finalizers.includes("foregroundDeletion") ? "waiting" : "solid";
}

/** An owner may be absent from one namespace and exist in another. */
function absentKey(uid: string, namespace: string | undefined): string {
  return `${namespace ?? ""}/${uid}`;
}

function describe({ apiVersion, kind, name, uid }: OwnerReference, namespace: string | undefined): string {
  return `${apiVersion}/${kind}, namespace: ${namespace ?? ""}, name: ${name}, uid: ${uid}`;
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

function read(client: Client, kind: Kind, { reference }: GraphNode): Promise<PartialObject | undefined> {
  return client.get(metadataOnly(kind), reference, { resourceVersion: "" });
}

/** Deletes this version of the object. If it has changed meanwhile, its event causes another check. */
async function deleteExactly(
  client: Client,
  kind: Kind,
  { metadata }: PartialObject,
  propagation: "Background" | "Foreground" | "Orphan",
): Promise<void> {
  const { uid, resourceVersion } = metadata;
  await client.delete(kind, metadata, { uid, resourceVersion, propagation });
}

async function patchOwners(
  client: Client,
  node: GraphNode,
  kind: Kind,
  change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
): Promise<void> {
  const live = await read(client, kind, node);
  if (live?.metadata.uid !== node.uid) return;
  const { uid, resourceVersion, ownerReferences = [] } = live.metadata;
  const next = change(ownerReferences);
  const merge = { metadata: { uid, resourceVersion, ownerReferences: next.length > 0 ? next : null } };
  await unlessGone(client.patch(metadataOnly(kind), live.metadata, { merge }));
}

async function removeFinalizer(
  client: Client,
  node: GraphNode,
  kind: Kind,
  finalizer: string,
): Promise<void> {
  const live = await read(client, kind, node);
  if (live?.metadata.uid !== node.uid) return;
  const { uid, resourceVersion, finalizers = [] } = live.metadata;
  if (!finalizers.includes(finalizer)) return;
  const others = finalizers.filter((each) => each !== finalizer);
  await unlessGone(
    client.patch(metadataOnly(kind), live.metadata, {
      merge: { metadata: { uid, resourceVersion, finalizers: others } },
    }),
  );
}

async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns true for an error after which the node is checked again, and that is not worth a message. */
export function isOrdinary(error: unknown): boolean {
  return isConflict(error) || isNotFound(error);
}
