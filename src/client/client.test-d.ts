// This file is compiled and never run: the types are the assertions. An unused `@ts-expect-error` is a compile error.

import type { KubeObject, ObjectKey, Status, Unstructured } from "../api/index.ts";
import {
  type DeepReadonly,
  isControlledBy,
  kind,
  metadataOnly,
  type PartialObject,
  ready,
} from "../api/index.ts";
import { Deployment, ReplicaSet } from "../api/types/apps/v1.ts";
import type { TokenRequest } from "../api/types/authentication/v1.ts";
import type { Scale } from "../api/types/autoscaling/v1.ts";
import { ConfigMap, Namespace, Node, Pod, Service, ServiceAccount } from "../api/types/core/v1.ts";
import {
  type Client,
  type CommandOutput,
  connect,
  createOrPatch,
  createOrUpdate,
  type Discovery,
  isConflict,
  type Mutated,
  type Page,
  type Reader,
  type RemoteSession,
  retryOnConflict,
  type WatchEvent,
} from "./index.ts";

declare const client: Client;
declare const pod: Pod;
declare const deployment: Deployment;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Returns true if the promise resolves with exactly this type. */
function gives<T>(): <U>(value: Promise<U>, ..._: Same<T, U> extends true ? [] : [never]) => void {
  return () => {};
}

// Reads return objects of the kind's type, without type arguments at the call.
gives<Pod | undefined>()(client.get(Pod, "home/a"));
gives<Pod | undefined>()(client.get(Pod, { name: "a", namespace: undefined }));
gives<Pod | undefined>()(client.get(Pod, pod.metadata));
gives<Deployment[]>()(client.list(Deployment, { labels: { app: "a" }, namespace: undefined }));
export const pages: AsyncIterable<Page<Pod>> = client.pages(Pod);
export const events: AsyncIterable<WatchEvent<Pod>> = client.watch(Pod, { resourceVersion: "1" });
// @ts-expect-error a name is required
void client.get(Pod, {});
// @ts-expect-error objects of another kind
export const wrong: Promise<Service | undefined> = client.get(Pod, "a");
// @ts-expect-error a watch has no resourceVersionMatch
void client.watch(Pod, { resourceVersionMatch: "Exact" });

// An event is a change or a bookmark.
export function read(event: WatchEvent<Pod>): string {
  // @ts-expect-error bookmarks have no object
  event.object;
  if (event.type === "bookmark") return event.resourceVersion;
  return event.object.spec.containers[0]?.name ?? event.type;
}

// Objects of a kind that is given by name have unknown fields.
const website = kind({ group: "example.dev", version: "v1", kind: "Website" });
gives<Unstructured | undefined>()(client.get(website, "a"));
gives<Unstructured>()(client.create(website, { metadata: { name: "a" }, spec: { image: "nginx" } }));

// Metadata-only kinds have metadata.
gives<PartialObject[]>()(client.list(metadataOnly(Pod)));
gives<PartialObject | undefined>()(client.get(metadataOnly(website), "a"));

// Create does not require the fields that the server sets.
gives<Namespace>()(client.create(Namespace, { metadata: { name: "a" } }));
gives<Pod>()(
  client.create(Pod, { metadata: { generateName: "a-" }, spec: { containers: [] } }, { owner: deployment }),
);
// @ts-expect-error a Pod needs a spec
void client.create(Pod, { metadata: { name: "a" } });
// @ts-expect-error no such option
void client.create(Namespace, { metadata: { name: "a" } }, { force: true });

// Update requires the full object.
gives<Pod>()(client.update(Pod, pod, { subresource: "status" }));
// @ts-expect-error an object of another kind
void client.update(Service, pod);
// @ts-expect-error incomplete object
void client.update(Pod, { apiVersion: "v1", kind: "Pod", metadata: pod.metadata });

// Apply accepts any subset of the fields.
gives<Deployment>()(
  client.apply(Deployment, { metadata: { name: "a" }, spec: { replicas: 1 } }, { force: true }),
);
// @ts-expect-error a name is required
void client.apply(Deployment, { metadata: {} });
// @ts-expect-error apply has no fieldValidation
void client.apply(Deployment, { metadata: { name: "a" } }, { fieldValidation: "Strict" });

export const applied = (key: ObjectKey, owner: Deployment): Promise<Pod> =>
  client.apply(Pod, { metadata: key, spec: { containers: [{ name: "main", image: "none" }] } }, { owner });

// The type of a status is checked. Its target is a key or the object.
gives<Deployment>()(client.applyStatus(Deployment, deployment, { readyReplicas: 1 }));

// `mutate` receives an object that may have no spec yet.
gives<Mutated<Deployment>>()(
  createOrUpdate(client, Deployment, {
    key: "a",
    owner: shared,
    mutate(object) {
      object.metadata.labels = { a: "b" };
      object.spec ??= { selector: {}, template: {} };
      object.spec.replicas = 1;
    },
  }),
);
void createOrPatch(client, ConfigMap, {
  key: pod.metadata,
  async mutate(map) {
    map.data = { a: "b" };
  },
});
void createOrPatch(client, Deployment, {
  key: "a",
  mutate(object) {
    // @ts-expect-error the object may be new
    object.spec.replicas = 1;
    // @ts-expect-error only the server sets it
    object.metadata.uid = "a";
    // @ts-expect-error not a field of a Deployment
    object.data = {};
  },
});
void client.applyStatus(Deployment, { name: "a" }, { readyReplicas: 1 }, { force: true });
// @ts-expect-error no such field
void client.applyStatus(Deployment, deployment, { ready: 1 });
// @ts-expect-error wrong type
void client.applyStatus(Deployment, deployment, { readyReplicas: "1" });
void client.applyStatus(website, "a", { anything: true });
// @ts-expect-error a ConfigMap has no status
void client.applyStatus(ConfigMap, "a", { seen: true });
// @ts-expect-error the subresource is always status
void client.applyStatus(Deployment, deployment, {}, { subresource: "scale" });

// A patch has one of three types.
gives<Pod>()(client.patch(Pod, "a", { merge: { metadata: { labels: null } } }));
void client.patch(Pod, "a", { strategic: { spec: { containers: [{ name: "a", $patch: "delete" }] } } });
void client.patch(Pod, "a", {
  json: [
    { op: "test", path: "/a", value: null },
    { op: "move", from: "/a", path: "/b" },
    { op: "remove", path: "/b" },
  ],
});
// @ts-expect-error unknown op
void client.patch(Pod, "a", { json: [{ op: "delete", path: "/a" }] });
// @ts-expect-error a value is required
void client.patch(Pod, "a", { json: [{ op: "add", path: "/a" }] });
// @ts-expect-error the type of the patch is missing
void client.patch(Pod, "a", { metadata: {} });

// Deletions.
gives<Pod | undefined>()(client.delete(Pod, pod, { propagation: "Foreground", graceSeconds: 0 }));
declare const shared: DeepReadonly<Pod>;
gives<Pod | undefined>()(client.delete(Pod, shared));
gives<Pod | undefined>()(client.delete(Pod, shared.metadata));
void client.create(ConfigMap, { metadata: { name: "a" } }, { owner: shared });
gives<void>()(client.deleteAll(Pod, { namespace: "a", labels: "a!=b" }));
// @ts-expect-error an object of another kind
void client.delete(Service, pod);
// @ts-expect-error unknown propagation policy
void client.delete(Pod, "a", { propagation: "Sideways" });

// Subresources have their own types, and evictions and bindings return a Status.
gives<Scale>()(client.subresource(Deployment, "a", "scale").get());
gives<Scale>()(client.subresource(Deployment, "a", "scale").apply({ spec: { replicas: 1 } }));
gives<Status>()(client.subresource(Pod, "a", "eviction").create());
gives<Status>()(client.subresource(Pod, "a", "binding").create({ target: { kind: "Node", name: "n" } }));
gives<TokenRequest>()(client.subresource(ServiceAccount, "a", "token").create({ spec: { audiences: [] } }));
gives<Unstructured>()(client.subresource(Pod, "a", "resize").get());
gives<Unstructured>()(
  client.subresource(Pod, "a", "volume").create({ apiVersion: "v1", kind: "Volume", level: 3 }),
);

// A session has streams and its exit status as a value.
gives<RemoteSession>()(client.exec("a", ["ls"], { container: "main", stdin: true }));
gives<CommandOutput>()(client.attach("a").then((session) => session.output()));
// @ts-expect-error a command is a list of words
void client.exec("a", "ls -l");
// @ts-expect-error the client sets the metadata
void client.subresource(Deployment, "a", "scale").apply({ metadata: { name: "b" } });

gives<Discovery>()(client.discover());
export const reader: Reader = client;

// Excerpts of users' programs that use a client.

/** Creates as many Pods as the ReplicaSet needs. */
export async function replicate(client: Client, key: { readonly namespace?: string; readonly name: string }) {
  const set = await client.get(ReplicaSet, key);
  if (!set || set.metadata.deletionTimestamp) return;
  const pods = (await client.list(Pod, { namespace: key.namespace })).filter((pod) =>
    isControlledBy(pod, set),
  );
  for (let missing = (set.spec.replicas ?? 1) - pods.length; missing > 0; missing--) {
    await client.create(
      Pod,
      {
        metadata: {
          ...set.spec.template?.metadata,
          generateName: `${set.metadata.name}-`,
          namespace: key.namespace,
        },
        spec: set.spec.template?.spec ?? { containers: [] },
      },
      { owner: set },
    );
  }
  for (const surplus of pods.slice(set.spec.replicas)) {
    await client.delete(Pod, surplus);
  }
  await client.applyStatus(ReplicaSet, set, { replicas: pods.length });
}

/** Reads Nodes that a Service's metadata names, and writes the Service. */
export async function mark(server: string): Promise<void> {
  await using client = await connect({ server, userAgent: "marker/1" });
  for await (const event of client
    .inNamespace("team")
    .watch(Service, { fields: "metadata.name!=kubernetes" })) {
    if (event.type === "bookmark") continue;
    const { name } = event.object.metadata;
    const nodes = await client.list(Node, { labels: { service: name } });
    await Promise.all(nodes.map((node) => label(client, node)));
  }
}

async function label(client: Client, node: Node): Promise<void> {
  await retryOnConflict(async () => {
    const current = await client.get(Node, node.metadata);
    if (!current) return;
    current.metadata.labels = { ...current.metadata.labels, marked: "true" };
    await client.update(Node, current);
  });
}

/** Applies a part of a readonly object. */
export async function again(
  client: Client,
  view: DeepReadonly<Deployment>,
  owner: KubeObject,
): Promise<void> {
  try {
    await client.apply(Deployment, { metadata: { name: view.metadata.name }, spec: view.spec }, { owner });
  } catch (error) {
    if (!isConflict(error)) throw error;
    for (const { field, message } of error.details?.causes ?? []) console.error(field, message);
  }
}

// A condition needs no time, whole ones may have it, and a patch of a status has no conditions.
gives<Deployment>()(client.applyStatus(Deployment, "a", { conditions: [ready(true, "Deployed")] }));
// @ts-expect-error a condition has a type
void client.applyStatus(Deployment, "a", { conditions: [{ status: "True" }] });
gives<Deployment>()(client.patchStatus(Deployment, "a", { replicas: 3, observedGeneration: null }));
// @ts-expect-error no such field
void client.patchStatus(Deployment, "a", { replicaz: 3 });
// @ts-expect-error a patch would replace the conditions of others
void client.patchStatus(Deployment, "a", { conditions: [] });
