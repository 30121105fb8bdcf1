import { expect, test } from "vitest";
import { z } from "zod";
import { defineResource } from "../crd/index.ts";
import { expectLosslessConversion } from "./index.ts";

const name = { group: "example.dev", kind: "Website" } as const;
const stored = z.object({
  image: z.string().regex(/^[a-z]+(:[0-9.]+)?$/),
  replicas: z.int32().min(0).max(50).default(1),
  ports: z
    .array(z.object({ name: z.enum(["web", "api", "debug"]), port: z.int32().min(1).max(65_535) }))
    .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] })
    .optional(),
  labels: z.record(z.string(), z.string()).optional(),
  probe: z.union([z.int32(), z.string()]).nullable().optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  from: z.iso.datetime().optional(),
  by: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("name"), name: z.string().min(1) }),
      z.object({ type: z.literal("port"), port: z.int32().min(1) }),
    ])
    .optional(),
  extra: z.unknown().optional(),
});
type Stored = z.infer<typeof stored>;
const old = stored.omit({ image: true, replicas: true }).extend({
  repository: z.string().regex(/^[a-z]+$/),
  tag: z
    .string()
    .regex(/^[0-9.]+$/)
    .optional(),
  size: z.int32().min(0).max(50).default(1),
});
type Old = z.infer<typeof old>;

function toStored({ repository, tag, size, ...rest }: Old): Stored {
  return { ...rest, image: tag === undefined ? repository : `${repository}:${tag}`, replicas: size };
}

function fromStored({ image, replicas, ...rest }: Stored): Old {
  const [repository = "", tag] = image.split(":");
  return { ...rest, repository, tag, size: replicas };
}

function websites(convert: Partial<{ toStored(spec: Old): Stored; fromStored(spec: Stored): Old }> = {}) {
  const { toStored: to = toStored, fromStored: from = fromStored } = convert;
  return defineResource({
    ...name,
    versions: {
      v1: { spec: stored, storage: true },
      v1beta1: {
        spec: old,
        convert: {
          toStorage: ({ spec }) => ({ spec: to(spec) }),
          fromStorage: ({ spec }) => ({ spec: from(spec) }),
        },
      },
    },
  });
}

test("conversions that keep all data pass", () => {
  expectLosslessConversion(websites(), { seed: 1 });
});

/** Returns the message of the error. */
function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "no error";
}

test("a lost field is found, and the object is reduced to the part that matters", () => {
  const Lossy = websites({ fromStored: (spec) => ({ ...fromStored(spec), tag: undefined }) });
  expect(messageOf(() => expectLosslessConversion(Lossy, { seed: 1 }))).toBe(
    "expected Website of example.dev to keep its data from v1beta1 to v1 and back, got a change of spec.tag\n" +
      '  v1beta1: {"spec":{"repository":"a","tag":"1","size":1}}\n' +
      '  v1: {"spec":{"image":"a:1","replicas":1}}\n' +
      '  v1beta1: {"spec":{"repository":"a","size":1}}\n' +
      "  repeat it with { seed: 1 }",
  );
});

test("data that only the storage version has is found by the other direction", () => {
  const Lossy = websites({ toStored: (spec) => ({ ...toStored(spec), replicas: Math.min(spec.size, 9) }) });
  const [first] = messageOf(() => expectLosslessConversion(Lossy, { seed: 1 })).split("\n  ");
  expect(first).toBe(
    "expected Website of example.dev to keep its data from v1beta1 to v1 and back, got a change of spec.size",
  );
  const Other = websites({ fromStored: (spec) => ({ ...fromStored(spec), ratio: undefined }), toStored });
  expect(messageOf(() => expectLosslessConversion(Other, { seed: 1 }))).toContain("a change of spec.ratio");
});

test("the smallest number with a problem is found", () => {
  const Lossy = websites({ toStored: (spec) => ({ ...toStored(spec), replicas: Math.min(spec.size, 9) }) });
  expect(messageOf(() => expectLosslessConversion(Lossy, { seed: 2 }))).toContain(
    '\n  v1beta1: {"spec":{"repository":"a","size":10}}\n  v1: {"spec":{"image":"a","replicas":9}}\n',
  );
});

test("a conversion that throws or returns an invalid object is found", () => {
  const throwing = websites({
    toStored(spec) {
      if (spec.ports !== undefined) throw new Error("ports are not supported");
      return toStored(spec);
    },
  });
  expect(messageOf(() => expectLosslessConversion(throwing, { seed: 1 }))).toContain(
    "got conversion of Website default/a from example.dev/v1beta1 to example.dev/v1 failed: ports are not supported\n" +
      '  v1beta1: {"spec":{"ports":[],"repository":"a","size":1}}\n',
  );
  const invalid = websites({
    toStored: (spec) => ({ ...toStored(spec), image: `${spec.repository}:latest` }),
  });
  expect(messageOf(() => expectLosslessConversion(invalid, { seed: 1 }))).toContain(
    'got Website.example.dev "a" is invalid: spec.image: Invalid value: "a:latest"',
  );
});

test("data may be kept in annotations", () => {
  const spec = z.object({ size: z.int32().min(0) });
  const kept = "example.dev/unit";
  const Sizes = defineResource({
    ...name,
    versions: {
      v1: { spec: spec.extend({ unit: z.enum(["cm", "in"]).optional() }), storage: true },
      v1beta1: {
        spec,
        convert: {
          toStorage({ spec, metadata: { annotations = {} } }) {
            const unit = annotations[kept] as "cm" | "in" | undefined;
            return { spec: { ...spec, unit } };
          },
          fromStorage({ spec: { size, unit }, metadata: { labels, annotations } }) {
            return {
              spec: { size },
              metadata: { labels, annotations: { ...annotations, ...(unit && { [kept]: unit }) } },
            };
          },
        },
      },
    },
  });
  expectLosslessConversion(Sizes, { seed: 1 });
});

test("values replace what cannot be generated", () => {
  const spec = z.object({
    even: z
      .string()
      .regex(/^(..)*$/)
      .min(200),
  });
  const versions = { v1: { spec, storage: true }, v1beta1: { spec, convert: "none" } } as const;
  const Hard = defineResource({ ...name, versions });
  expect(() => expectLosslessConversion(Hard, { seed: 1 })).toThrow(
    "expected a random object of v1beta1 that its schema allows, got none in 50 tries: " +
      "pass values for the fields that are hard to generate",
  );
  expectLosslessConversion(Hard, { seed: 1, values: { "spec.even": () => "ab".repeat(100) } });
});

test("a seed repeats the same objects", () => {
  const Lossy = websites({ fromStored: (spec) => ({ ...fromStored(spec), labels: {} }) });
  const first = messageOf(() => expectLosslessConversion(Lossy, { seed: 7 }));
  expect(messageOf(() => expectLosslessConversion(Lossy, { seed: 7 }))).toBe(first);
});
