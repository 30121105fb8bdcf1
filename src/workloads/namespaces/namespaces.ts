import { type Frozen, type Kind, kindName, metadataOnly, type PartialObject } from "../../api/index.ts";
import { Namespace, type NamespaceCondition, type NamespaceStatus, Pod } from "../../api/types/core/v1.ts";
import { timestamp } from "../../base/index.ts";
import { type Client, isConflict, isMethodNotAllowed, isNotFound } from "../../client/index.ts";
import { type Context, type Controller, controller, watches } from "../../controller/index.ts";
import { writeStatus } from "../owning/write-status.ts";

type NamespaceView = Frozen<Namespace>;

/** Empties each namespace that is being deleted, Pods first, and then lets it go. Its conditions say what remains. */
export const namespaces: Controller = controller({
  name: "namespace-controller",
  for: Namespace,
  concurrency: 10,
  // The rest of a namespace is deleted once its last Pod has ended.
  on: [watches(Pod, ({ metadata }) => [{ name: metadata.namespace ?? "" }], { when: isDeleted })],
  async reconcile(key, context) {
    const namespace = context.cache.of(Namespace).view(key);
    if (!namespace?.metadata.deletionTimestamp || !isHeld(namespace)) return undefined;
    const content = await deleteContent(namespace, context);
    const status = statusOf(namespace, content, context.now());
    await writeStatus(context.client, Namespace, { object: namespace, status });
    if (content.remaining.size > 0 || content.failed.length > 0) return { requeueAfterMs: retryMs };
    await finalize(namespace, context.client);
    return undefined;
  },
});

function isDeleted({ type }: { readonly type: string }): boolean {
  return type === "deleted";
}

/** Returns true if the namespace waits for this controller. */
function isHeld({ spec }: NamespaceView): boolean {
  return (spec?.finalizers ?? []).includes(finalizer);
}

const finalizer = "kubernetes";

/** The objects that remain in a namespace, and the problems of deleting them. */
interface Content {
  /** Groups and versions whose kinds are unknown now. */
  readonly undiscovered: readonly string[];
  /** Failed requests. */
  readonly failed: readonly Error[];
  /** Remaining objects by kind. */
  readonly remaining: ReadonlyMap<Kind, readonly PartialObject[]>;
}

async function deleteContent(namespace: NamespaceView, { client }: Context): Promise<Content> {
  const { kinds, unavailable } = await client.discover();
  const deletable = new Map<string, Kind>();
  for (const { kind, verbs } of kinds) {
    const resource = `${kind.group}/${kind.plural}`;
    if (
      !kind.namespaced ||
      ignored.has(resource) ||
      !["list", "delete"].every((verb) => verbs.includes(verb))
    )
      continue;
    if (!deletable.has(resource)) deletable.set(resource, kind);
  }
  const { name } = namespace.metadata;
  const pods = await emptied(client, [Pod], name);
  const others = [...deletable.values()].filter((kind) => kindName(kind) !== kindName(Pod));
  // Pods end before what they may need in order to end.
  const rest = pods.remaining.size > 0 ? nothing : await emptied(client, others, name);
  return {
    undiscovered: unavailable,
    failed: [...pods.failed, ...rest.failed],
    remaining: new Map([...pods.remaining, ...rest.remaining]),
  };
}

/** Events are deleted with the rest, and the kinds of events.k8s.io are the same objects. */
const ignored: ReadonlySet<string> = new Set(["events.k8s.io/events"]);

const nothing: Omit<Content, "undiscovered"> = { failed: [], remaining: new Map() };

/** Deletes all objects of the kinds, and returns those that remain. */
async function emptied(client: Client, kinds: readonly Kind[], namespace: string): Promise<typeof nothing> {
  const failed: Error[] = [];
  const remaining = new Map<Kind, readonly PartialObject[]>();
  for (const kind of kinds) {
    try {
      const left = await empty(client, kind, namespace);
      if (left.length > 0) remaining.set(kind, left);
    } catch (error) {
      if (isNotFound(error)) continue; // the kind is not served any more
      failed.push(error as Error); // `client` throws errors
    }
  }
  return { failed, remaining };
}

async function empty(client: Client, kind: Kind, namespace: string): Promise<readonly PartialObject[]> {
  const objects = await client.list(metadataOnly(kind), { namespace, resourceVersion: "" });
  if (objects.length === 0) return [];
  try {
    await client.deleteAll(kind, { namespace, propagation: "Background" });
  } catch (error) {
    if (!isMethodNotAllowed(error)) throw error;
    for (const { metadata } of objects) await client.delete(kind, metadata, { propagation: "Background" });
  }
  return client.list(metadataOnly(kind), { namespace, resourceVersion: "" });
}

/** Returns the status whose conditions say why the namespace is not deleted yet, or that all of it was deleted. */
function statusOf({ status }: NamespaceView, content: Content, nowMs: number): NamespaceStatus {
  const before = status?.conditions ?? [];
  const conditions = changesFor(content).map((change): NamespaceCondition => {
    const current = before.find(({ type }) => type === change.type);
    const kept =
      current?.status === change.status &&
      current.reason === change.reason &&
      current.message === change.message;
    const lastTransitionTime = kept ? current.lastTransitionTime : timestamp(nowMs);
    return { ...change, lastTransitionTime };
  });
  return { phase: "Terminating", conditions };
}

type Change = Omit<NamespaceCondition, "lastTransitionTime">;

function changesFor({ undiscovered, failed, remaining }: Content): Change[] {
  return [
    undiscovered.length > 0
      ? problem("NamespaceDeletionDiscoveryFailure", {
          reason: "DiscoveryFailed",
          message: `Discovery failed for some groups, ${undiscovered.length} failing: ${undiscovered.join(", ")}`,
        })
      : healthy.discovery,
    healthy.parsing,
    failed.length > 0
      ? problem("NamespaceDeletionContentFailure", {
          reason: "ContentDeletionFailed",
          message: `Failed to delete all resource types, ${failed.length} remaining: ${failed.map(({ message }) => message).join(", ")}`,
        })
      : healthy.deletion,
    remaining.size > 0
      ? problem("NamespaceContentRemaining", {
          reason: "SomeResourcesRemain",
          message: `Some resources are remaining: ${countsOf(remaining)}`,
        })
      : healthy.content,
    finalizersOf(remaining).size > 0
      ? problem("NamespaceFinalizersRemaining", {
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${finalizerCounts(remaining)}`,
        })
      : healthy.finalizers,
  ];
}

/** The conditions of a namespace without problems. */
const healthy = {
  discovery: {
    type: "NamespaceDeletionDiscoveryFailure",
    status: "False",
    reason: "ResourcesDiscovered",
    message: "All resources successfully discovered",
  },
  parsing: {
    type: "NamespaceDeletionGroupVersionParsingFailure",
    status: "False",
    reason: "ParsedGroupVersions",
    message: "All legacy kube types successfully parsed",
  },
  deletion: {
    type: "NamespaceDeletionContentFailure",
    status: "False",
    reason: "ContentDeleted",
    message: "All content successfully deleted, may be waiting on finalization",
  },
  content: {
    type: "NamespaceContentRemaining",
    status: "False",
    reason: "ContentRemoved",
    message: "All content successfully removed",
  },
  finalizers: {
    type: "NamespaceFinalizersRemaining",
    status: "False",
    reason: "ContentHasNoFinalizers",
    message: "All content-preserving finalizers finished",
  },
} as const satisfies Readonly<Record<string, Change>>;

function problem(type: NamespaceCondition["type"], found: Pick<Change, "reason" | "message">): Change {
  return { type, status: "True", ...found };
}

function countsOf(remaining: Content["remaining"]): string {
  const texts = Array.from(
    remaining,
    ([kind, objects]) => `${resourceName(kind)} has ${objects.length} resource instances`,
  );
  return texts.sort().join(", ");
}

function resourceName({ plural, group }: Kind): string {
  return group ? `${plural}.${group}` : `${plural}.`;
}

function finalizersOf(remaining: Content["remaining"]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata } of [...remaining.values()].flat()) {
    for (const name of metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function finalizerCounts(remaining: Content["remaining"]): string {
  const texts = Array.from(
    finalizersOf(remaining),
    ([name, count]) => `${name} in ${count} resource instances`,
  );
  return texts.sort().join(", ");
}

/** Checks again later: nothing reports that the finalizers of other objects are gone. */
const retryMs = 8_000;

async function finalize(namespace: NamespaceView, client: Client): Promise<void> {
  const { uid, name } = namespace.metadata;
  const live = await client.get(Namespace, name, { resourceVersion: "" });
  if (live?.metadata.uid !== uid) return;
  const finalizers = (live.spec?.finalizers ?? []).filter((each) => each !== finalizer);
  try {
    await client.update(
      Namespace,
      { ...live, spec: { ...live.spec, finalizers } },
      { subresource: "finalize" },
    );
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
