// Compiled, never run: the types are the test. A `@ts-expect-error` fails if the line compiles.
import { z } from "zod";
import type { KubeObject, ObjectOf } from "../src/api/index.ts";
import type { Client } from "../src/client/index.ts";
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
