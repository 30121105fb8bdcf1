// Compiled, never run: the types are the test. A `@ts-expect-error` fails if the line compiles.
import { z } from "zod";
import {
  type DeepReadonly,
  type Kind,
  type KubeObject,
  kind,
  metadataOnly,
  type ObjectOf,
} from "../src/api/index.ts";
import { Deployment } from "../src/api/types/apps/v1.ts";
import { Pod } from "../src/api/types/core/v1.ts";
import { Event } from "../src/api/types/events/v1.ts";
import type { Client, Patch } from "../src/client/index.ts";
import { type CustomObject, defineResource, type Resource } from "../src/crd/index.ts";

declare const client: Client;

const Website = defineResource({
  group: "example.dev",
  version: "v1",
  kind: "Website",
  spec: z
    .object({ image: z.string().default("nginx"), replicas: z.int32().default(1) })
    .default({ image: "nginx", replicas: 1 }),
  status: z.object({ ready: z.int32().default(0), phase: z.string() }),
});
type Website = ObjectOf<typeof Website>;
const metadata = { name: "a" };

// Writes accept what the schema accepts, and reads return what the server returns.
export const created: Promise<Website> = client.create(Website, { metadata, spec: { image: "nginx" } });
export const defaulted: Promise<Website> = client.create(Website, { metadata });
export const applied: Promise<Website> = client.apply(Website, { metadata, spec: { replicas: 2 } });
export const replicas = (site: Website): number => site.spec.replicas;
void client.applyStatus(Website, "a", { phase: "Ready" });
// @ts-expect-error a phase has no default
void client.applyStatus(Website, "a", { ready: 1 });
// @ts-expect-error an unknown field
void client.create(Website, { metadata, spec: { replicaz: 1 } });
// @ts-expect-error an unknown field
void client.apply(Website, { metadata, spec: { replicaz: 1 } });
// @ts-expect-error an update replaces the object, so it is complete
void client.update(Website, { metadata, spec: {} });

// A function can take objects and kinds by the types of their content, and any kind.
declare function imageOf(site: CustomObject<{ image: string }, unknown>): string;
declare function install(kinds: readonly Resource[]): void;
declare function read<T extends KubeObject>(kind: Resource<T>): T;
export const image = (site: Website): string => imageOf(site);
install([Website]);
export const site: Website = read(Website);

// Patches have the fields of the object.
void client.patch(Deployment, "a", { merge: { spec: { replicas: 3 } } });
void client.patch(Deployment, "a", {
  merge: { metadata: { labels: { a: "b", c: null } }, spec: { replicas: null } },
});
void client.patch(Deployment, "a", { merge: { metadata: { resourceVersion: "1", uid: "u" } } });
void client.patch(Deployment, "a", { merge: { status: { readyReplicas: 1 } } }, { subresource: "status" });
// @ts-expect-error an unknown field
void client.patch(Deployment, "a", { merge: { spec: { replicaz: 3 } } });
// @ts-expect-error an unknown field at the top
void client.patch(Deployment, "a", { merge: { data: {} } });
// @ts-expect-error a wrong type
void client.patch(Deployment, "a", { merge: { spec: { replicas: "3" } } });
// @ts-expect-error an unknown field of the metadata
void client.patch(Deployment, "a", { merge: { metadata: { label: {} } } });
// @ts-expect-error a merge patch replaces lists, so the elements are complete
void client.patch(Pod, "a", { merge: { spec: { containers: [{ image: "b" }] } } });
// @ts-expect-error a merge patch has no directives
void client.patch(Pod, "a", { merge: { spec: { $patch: "delete" } } });
void client.patch(Website, "a", { merge: { spec: { replicas: null }, status: { phase: "Ready" } } });
// @ts-expect-error an unknown field of a custom kind
void client.patch(Website, "a", { merge: { spec: { replicaz: 3 } } });
// @ts-expect-error API servers have no strategic merge patch for custom kinds
void client.patch(Website, "a", { strategic: { spec: { replicas: 3 } } });
void client.subresource(Deployment, "a", "scale").patch({ merge: { spec: { replicas: 3 } } });
// @ts-expect-error an unknown field of a subresource
void client.subresource(Deployment, "a", "scale").patch({ merge: { spec: { replicaz: 3 } } });
void client.patch(metadataOnly(Deployment), "a", { merge: { metadata: { labels: { a: null } } } });
void client.patch(metadataOnly(Deployment), "a", { merge: { spec: { replicas: 1 } } });
void client.patch(Deployment as Kind, "a", { merge: { spec: { replicas: 1 } } });
// @ts-expect-error the metadata of a view
void client.patch(metadataOnly(Deployment), "a", { merge: { metadata: { labels: 5 } } });
void client.patch(kind({ version: "v1", kind: "Any" }), "a", { merge: { spec: { anything: [1] } } });
// @ts-expect-error the metadata of any kind
void client.patch(kind({ version: "v1", kind: "Any" }), "a", { merge: { metadata: { labels: 5 } } });
export const cleared: Patch<Deployment> = { merge: { spec: { template: { spec: { nodeSelector: null } } } } };
export const parts = (view: DeepReadonly<Deployment>): Patch<Deployment> => ({ merge: { spec: view.spec } });

// The members of a union exclude each other: a patch that chooses one deletes the fields of the others.
const Backup = defineResource({
  group: "example.dev",
  version: "v1",
  kind: "Backup",
  spec: z.object({
    target: z.discriminatedUnion("type", [
      z.object({ type: z.literal("disk"), path: z.string() }),
      z.object({ type: z.literal("bucket"), bucket: z.string() }),
    ]),
  }),
});
void client.patch(Backup, "a", { merge: { spec: { target: { type: "bucket", bucket: "b", path: null } } } });
// @ts-expect-error a field of another member
void client.patch(Backup, "a", { merge: { spec: { target: { type: "bucket", path: "/a" } } } });
// @ts-expect-error no member has the field
void client.patch(Backup, "a", { merge: { spec: { target: { type: "bucket", disk: null } } } });

// A strategic merge patch merges lists by their keys.
const container = { name: "a", image: "b" };
void client.patch(Pod, "a", {
  strategic: { spec: { containers: [{ ...container, env: [{ name: "e" }] }] } },
});
void client.patch(Pod, "a", { strategic: { spec: { containers: [{ name: "a", $patch: "delete" }] } } });
void client.patch(Pod, "a", {
  strategic: {
    metadata: { labels: { a: null }, "$deleteFromPrimitiveList/finalizers": ["example.dev/a"] },
    spec: { "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "a", image: null }] },
  },
});
void client.patch(Deployment, "a", {
  strategic: { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
});
declare const series: { count: number };
void client.patch(Event, "a", { strategic: { series } });
// @ts-expect-error an unknown field of a list element
void client.patch(Pod, "a", { strategic: { spec: { containers: [{ name: "a", imag: "b" }] } } });
// @ts-expect-error an unknown directive
void client.patch(Pod, "a", { strategic: { spec: { containers: [{ name: "a", $patch: "remove" }] } } });
// @ts-expect-error the order of no list
void client.patch(Pod, "a", { strategic: { spec: { "$setElementOrder/container": [] } } });
