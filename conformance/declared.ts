import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { defineResource } from "trimtab/crd";
import { z } from "zod";
import { untilServed } from "./defined.ts";
import type { Stage } from "./scenario.ts";

/** A field of each type that a structural schema expresses differently than JSON Schema. */
const spec = z.object({
  image: z.string().min(1),
  replicas: z.int().min(0).default(1),
  mode: z.enum(["fast", "slow"]).nullable().optional(),
  port: z.union([z.int().min(1), z.string().regex(/^[a-z]+$/)]).optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  address: z.union([z.ipv4(), z.literal("none")]).optional(),
  code: z.string().regex(/^a/).regex(/z$/).optional(),
  from: z.iso.datetime().optional(),
  host: z.hostname().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  limits: z.partialRecord(z.enum(["cpu", "memory"]), z.int32()).optional(),
  anything: z.unknown().optional(),
  open: z.looseObject({ known: z.boolean() }).optional(),
  ports: z
    .array(z.object({ name: z.string(), number: z.int32().default(80) }))
    .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] })
    .optional(),
  probe: z
    .discriminatedUnion("by", [
      z.object({ by: z.literal("name"), name: z.string().min(1) }),
      z.object({ by: z.literal("port"), port: z.int32().min(1) }),
    ])
    .optional(),
  nested: z.object({ depth: z.int32().default(2) }).prefault({}),
});
const status = z.object({ ready: z.boolean() });

/** Declares a kind with a schema, in a group named after the scenario's namespace, and waits until it is served. */
export async function declared({ namespace, cluster: { client }, signal }: Stage) {
  const group = `${namespace}.example.dev`;
  const Site = defineResource({ group, version: "v1", kind: "Site", spec, status });
  const definition = await client.create(CustomResourceDefinition, Site.toCustomResourceDefinition());
  await untilServed(client, definition.metadata.name, signal);
  return {
    Site,
    definition,
    async [Symbol.asyncDispose]() {
      await client.delete(CustomResourceDefinition, definition.metadata);
    },
  };
}
