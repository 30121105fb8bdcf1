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
export const same: CustomObject<Spec, { readyReplicas: number }> = {} as Website;
export const returned: Website = {} as CustomObject<Spec, { readyReplicas: number }>;
export const spec: Spec = {} as Website["spec"];
export const back: Website["spec"] = {} as Spec;
holds<Same<Website["status"], { readyReplicas: number } | undefined>>();
holds<Same<ReturnType<typeof Website.parse>, Website>>();
export const object: KubeObject = {} as Website;

// A field with a default is optional where clients write it, at any depth, and other fields are not.
export const written: New<Website> = { metadata: { name: "a" }, spec: { image: "i" } };
export const complete: New<Website> = { metadata: { name: "a" }, spec: { image: "i", replicas: 1 } };
// @ts-expect-error an image is a string
export const wrong: New<Website> = { metadata: { name: "a" }, spec: { image: 1 } };
// @ts-expect-error an image has no default
export const incomplete: New<Website> = { metadata: { name: "a" }, spec: { replicas: 1 } };
// @ts-expect-error a schema without a default requires a spec
export const absent: New<Website> = { metadata: { name: "a" } };
// @ts-expect-error an unknown field
export const unknown: New<Website> = { metadata: { name: "a" }, spec: { image: "i", replicaz: 1 } };
export const draft: Draft<Website> = { metadata: { name: "a" }, spec: { replicas: 2 } };
export const empty: Draft<Website> = { metadata: { name: "a" }, spec: {} };
// @ts-expect-error an unknown field
export const unknownDraft: Draft<Website> = { metadata: { name: "a" }, spec: { replicaz: 2 } };
// @ts-expect-error a default is in every object that is read
export const read: Website["spec"] = { image: "i" };
// @ts-expect-error a complete object has metadata of the server
export const unread: Website = { ...written, apiVersion: "v1", kind: "Website" };

const Nested = defineResource({
  ...name,
  spec: z
    .object({
      ports: z.array(z.object({ port: z.int32(), protocol: z.string().default("TCP") })).default([]),
      // The type of a branded field is its input when it is written.
      id: z.string().brand<"Id">().optional(),
    })
    .default({ ports: [] }),
});
type Nested = ObjectOf<typeof Nested>;
holds<Same<Nested["spec"]["ports"][number]["protocol"], string>>();
export const nothing: New<Nested> = { metadata: { name: "a" } };
export const onePort: New<Nested> = { metadata: { name: "a" }, spec: { ports: [{ port: 80 }], id: "a" } };
// @ts-expect-error a port has no default
export const noPort: New<Nested> = { metadata: { name: "a" }, spec: { ports: [{ protocol: "UDP" }] } };

// Without a status schema, the status has no type.
const Plain = defineResource({ ...name, spec: z.object({}) });
holds<Same<ObjectOf<typeof Plain>["status"], undefined>>();

// A definition can be created and applied.
export const createdDefinition: New<CustomResourceDefinition> = Website.toCustomResourceDefinition();
export const appliedDefinition: Draft<CustomResourceDefinition> = Website.toCustomResourceDefinition();

// @ts-expect-error a schema must support JSON Schema
defineResource({ ...name, spec: { parse: (value: unknown) => value } });

// Conversions of a kind with several versions have the types of their objects.
const both = { group: "example.dev", kind: "Website" } as const;
const many = z.object({ images: z.array(z.string()) });
const one = z.object({ image: z.string(), size: z.int32().default(1) });
const Websites = defineResource({
  ...both,
  versions: {
    v1: { spec: many, status: z.object({ ready: z.int32() }), storage: true },
    v1beta1: {
      spec: one,
      status: z.object({ ready: z.boolean() }),
      deprecated: "use v1",
      convert: {
        toStorage: ({ spec, status }) => ({
          spec: { images: [spec.image.trim()] },
          status: status && { ready: status.ready ? 1 : 0 },
        }),
        fromStorage(object) {
          const ready: number | undefined = object.status?.ready;
          return {
            ...object,
            spec: { image: object.spec.images.join(), size: 1 },
            status: { ready: ready === 1 },
          };
        },
      },
    },
    v1alpha1: { spec: many, convert: "none", served: false },
  },
});
holds<Same<ObjectOf<typeof Websites.v1>["spec"], { images: string[] }>>();
holds<Same<ObjectOf<typeof Websites.v1beta1>["status"], { ready: boolean } | undefined>>();
holds<Same<ObjectOf<typeof Websites.v1alpha1>["status"], undefined>>();
export const versions: readonly string[] = Websites.conversion.versions;
export const manifest: New<CustomResourceDefinition> = Websites.toCustomResourceDefinition();
// @ts-expect-error there is no such version
export const unknownVersion = Websites.v2;

// @ts-expect-error a version that is not stored has a conversion, or says that it needs none
defineResource({ ...both, versions: { v1: { spec: many, storage: true }, v1beta1: { spec: one } } });
// @ts-expect-error the stored version has no conversion
defineResource({ ...both, versions: { v1: { spec: many, storage: true, convert: "none" } } });
// @ts-expect-error one version is stored
defineResource({ ...both, versions: { v1: { spec: many }, v1beta1: { spec: many, convert: "none" } } });
defineResource({
  ...both,
  versions: {
    v1: { spec: many, storage: true },
    v1beta1: {
      spec: one,
      convert: {
        // @ts-expect-error the stored version has images
        toStorage: ({ spec }) => ({ spec }),
        // @ts-expect-error the stored version has no image
        fromStorage: ({ spec }) => ({ spec: { image: spec.image, size: 1 } }),
      },
    },
  },
});
// @ts-expect-error a kind has either one version or several
defineResource({ ...both, version: "v1", versions: { v1: { spec: many, storage: true } } });
