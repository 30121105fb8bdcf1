// Compiled, never run: the types are the test. A `@ts-expect-error` fails if the line compiles.
import { z } from "zod";
import type { Condition, IntOrString, New, ObjectOf } from "../api/index.ts";
import type { JobTemplateSpec } from "../api/types/batch/v1.ts";
import type { PodTemplateSpec } from "../api/types/core/v1.ts";
import { defineResource } from "../crd/index.ts";
import { builtIn, conditions, duration, intOrString, quantity } from "./index.ts";

const Batch = defineResource({
  group: "example.dev",
  version: "v1",
  kind: "Batch",
  spec: z.object({
    job: builtIn("JobTemplateSpec"),
    pod: builtIn("PodTemplateSpec").optional(),
    port: intOrString(),
    memory: quantity(),
    timeout: duration().default("30s"),
  }),
  status: z.object({ conditions: conditions() }),
});
type Batch = ObjectOf<typeof Batch>;

// Fields have the types of the built-in kinds.
export const job: JobTemplateSpec = {} as Batch["spec"]["job"];
export const pod: PodTemplateSpec | undefined = {} as Batch["spec"]["pod"];
export const port: IntOrString = {} as Batch["spec"]["port"];
export const memory: string | number = {} as Batch["spec"]["memory"];
export const timeout: string = {} as Batch["spec"]["timeout"];
export const listed: Condition[] = {} as NonNullable<Batch["status"]>["conditions"];
export const written: NonNullable<Batch["status"]>["conditions"] = [] as Condition[];

const spec = { port: 80, memory: "1Gi", timeout: "1m" };
export const created: New<Batch> = {
  metadata: { name: "a" },
  spec: { ...spec, job: { spec: { template: {} } } },
};
// @ts-expect-error a template of a Job has a spec with a template
export const wrong: New<Batch> = { metadata: { name: "a" }, spec: { ...spec, job: { spec: {} } } };

// @ts-expect-error only built-in types
builtIn("Website");
