// Compiled, never run: the types are the test. A `@ts-expect-error` fails if the line compiles.
import { z } from "zod";
import type { Draft, KubeObject, New, ObjectOf } from "../api/index.ts";
import type { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { type CustomObject, defineResource } from "./index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_ extends true>(): void {}

const name = { group: "example.dev", version: "v1", kind: "Website" } as const;
const Website = defineResource({
  ...name,
  spec: z.object({
    image: z.string(),
    replicas: z.int().default(1),
    mode: z.enum(["fast", "slow"]).optional(),
  }),
  status: z.object({ readyReplicas: z.int() }),
});
type Website = ObjectOf<typeof Website>;

// Objects have the output types of the schemas, and defaulted fields are always present.
interface Spec {
  image: string;
  replicas: number;
  mode?: "fast" | "slow" | undefined;
}
holds<Same<Website, CustomObject<Website["spec"], { readyReplicas: number }>>>();
export const spec: Spec = {} as Website["spec"];
export const back: Website["spec"] = {} as Spec;
holds<Same<Website["status"], { readyReplicas: number } | undefined>>();
holds<Same<ReturnType<typeof Website.parse>, Website>>();
export const object: KubeObject = {} as Website;

// Input and output have the same type.
export const written: New<Website> = { metadata: { name: "a" }, spec: { image: "i", replicas: 1 } };
// @ts-expect-error an image is a string
export const wrong: New<Website> = { metadata: { name: "a" }, spec: { image: 1, replicas: 1 } };
export const draft: Draft<Website> = { metadata: { name: "a" }, spec: { replicas: 2 } };

// Without a status schema, the status has no type.
const Plain = defineResource({ ...name, spec: z.object({}) });
holds<Same<ObjectOf<typeof Plain>["status"], undefined>>();

// A definition can be created and applied.
export const created: New<CustomResourceDefinition> = Website.toCustomResourceDefinition();
export const applied: Draft<CustomResourceDefinition> = Website.toCustomResourceDefinition();

// @ts-expect-error a schema must support JSON Schema
defineResource({ ...name, spec: { parse: (value: unknown) => value } });
