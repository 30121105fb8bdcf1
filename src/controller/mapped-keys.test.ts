import { expect, test } from "vitest";
import { type Kind, type KubeObject, keyText, type ObjectKey } from "../api/index.ts";
import { ConfigMap, Namespace, Secret } from "../api/types/core/v1.ts";
import { asError } from "../base/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { controller, type Mapper, watches } from "./index.ts";

interface Outcome {
  /** Keys that were reconciled. */
  readonly keys: string[];
  /** Messages of logged errors. */
  readonly errors: string[];
}

/** Reconciles `primary` by a mapper of `watched`, creates one object, and returns the outcome. */
async function map<T extends KubeObject>(
  [primary, watched]: readonly [Kind, Kind<T>],
  mapper: Mapper<T>,
  namespace?: string,
): Promise<Outcome> {
  await using world = await Controlled.start();
  const keys: string[] = [];
  if (namespace) await world.live.create(Namespace, { metadata: { name: namespace } });
  await world.run(
    controller({
      name: "mapped",
      for: primary,
      when: () => false,
      on: [watches(watched, mapper, { when: ({ object }) => object.metadata.name === "object" })],
      reconcile: async (key: ObjectKey) => void keys.push(keyText(key)),
    }),
  );
  const object = { metadata: { name: "object", namespace } };
  await (watched.kind === "Namespace"
    ? world.live.create(Namespace, object)
    : world.live.create(Secret, object));
  await world.settle();
  const errors = world.logged.filter(({ level }) => level === "error");
  return { keys: keys.sort(), errors: errors.map(({ fields }) => asError(fields.error).message) };
}

test("a bare name means the namespace of the mapped object, not the client's", async () => {
  const outcome = await map([ConfigMap, Secret], () => ["bare", { name: "key" }, "other/text"], "shop");
  expect(outcome).toEqual({ keys: ["other/text", "shop/bare", "shop/key"], errors: [] });
});

test("a bare name of a namespaced kind is an error for a cluster-scoped object", async () => {
  for (const bare of ["bare", { name: "bare" }, { metadata: { name: "bare" } }]) {
    const { keys, errors } = await map([ConfigMap, Namespace], () => [bare]);
    expect([keys, errors.length]).toEqual([[], 1]);
    expect(errors[0]?.replaceAll(/\s+/g, " ")).toMatch(
      /^expected the mapper of v1 Namespace to return keys with a namespace, because v1 ConfigMap is namespaced and v1 Namespace is not; got .*bare.* for "object"; return \{ namespace, name \}$/,
    );
  }
  const keys = await map([ConfigMap, Namespace], ({ metadata }) => [{ namespace: metadata.name, name: "a" }]);
  expect(keys).toEqual({ keys: ["object/a"], errors: [] });
});

test("a key of a cluster-scoped kind has no namespace, also if the mapper returns one", async () => {
  const outcome = await map([Namespace, Secret], () => [
    "a",
    { namespace: "default", name: "b" },
    "default/c",
  ]);
  expect(outcome).toEqual({ keys: ["a", "b", "c"], errors: [] });
});

test("a mapper may return objects of the reconciled kind, and not of another one", async () => {
  const metadata = { namespace: "shop", name: "a", uid: "1", resourceVersion: "1", creationTimestamp: "" };
  const of = (kind: string): KubeObject => ({ apiVersion: "v1", kind, metadata });
  const partial = { ...of("PartialObjectMetadata"), metadata: { ...metadata, name: "b" } };
  expect(await map([ConfigMap, Secret], () => [of("ConfigMap"), partial])).toEqual({
    keys: ["shop/a", "shop/b"],
    errors: [],
  });
  expect(await map([ConfigMap, Secret], () => [of("Pod")])).toEqual({
    keys: [],
    errors: ["expected the mapper of v1 Secret to return keys or objects of v1 ConfigMap, got a Pod"],
  });
});

test("a value that is neither a key nor an object is an error that names the mapper", async () => {
  expect(await map([ConfigMap, Secret], () => [undefined as never])).toEqual({
    keys: [],
    errors: ["expected the mapper of v1 Secret to return keys or objects of v1 ConfigMap, got undefined"],
  });
});
