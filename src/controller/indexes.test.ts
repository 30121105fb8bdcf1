import { expect, test } from "vitest";
import { type KubeObject, keyOf, metadataOnly, type ObjectKey } from "../api/index.ts";
import { ConfigMap, Pod, Secret } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Controller, controller, type Index, index, owns, type Trigger, watches } from "./index.ts";

/** ConfigMaps by the keys of the Secrets that their data names. */
const bySecret = index(ConfigMap, ({ metadata: { namespace }, data = {} }) =>
  Object.values(data).map((name): ObjectKey => ({ namespace, name })),
);

const reconcile = async (): Promise<void> => {};

/** A controller of ConfigMaps with indexes. */
function indexed(indexes: readonly Index<KubeObject>[], ...on: readonly Trigger[]): Controller {
  return controller({ name: "configmap", for: ConfigMap, indexes, on, reconcile });
}

function names(objects: readonly { readonly metadata: { readonly name: string } }[]): string[] {
  return objects.map(({ metadata }) => metadata.name).sort();
}

test("a mapper returns the objects that an index finds, and these are reconciled", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  for (const [name, secret] of [
    ["a", "one"],
    ["b", "two"],
    ["c", "one"],
  ] as const) {
    await world.live.create(ConfigMap, { metadata: { name }, data: { secret } });
  }
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      when: () => false,
      indexes: [bySecret],
      on: [watches(Secret, (secret, { cache }) => cache.by(bySecret, keyOf(secret)))],
      reconcile: async ({ name }) => void log.push(name),
    }),
  );
  await world.live.create(Secret, { metadata: { name: "one" } });
  await world.settle();
  expect(log.splice(0).sort()).toEqual(["a", "c"]);
  await world.live.patch(ConfigMap, "b", { merge: { data: { secret: "one" } } });
  await world.live.patch(ConfigMap, "c", { merge: { data: null } });
  await world.settle();
  await world.live.delete(Secret, "one");
  await world.settle();
  expect(log.sort()).toEqual(["a", "b"]);
});

test("a key, its text and the metadata of an object are the same value of an index", async () => {
  await using world = await Controlled.start();
  await world.run(indexed([bySecret]));
  await world.live.create(ConfigMap, { metadata: { name: "a" }, data: { secret: "one" } });
  const secret = await world.live.create(Secret, { metadata: { name: "one" } });
  await world.settle();
  const { cache } = world.environment;
  const lookups = [keyOf(secret), { namespace: "default", name: "one" }, secret.metadata, "one", "other/one"];
  expect(lookups.map((value) => names(cache.by(bySecret, value)))).toEqual([["a"], ["a"], ["a"], [], []]);
});

test("an own write is found under its new value at once, and not under its old one", async () => {
  await using world = await Controlled.start();
  await world.run(indexed([bySecret]));
  const { cache, client } = world.environment;
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { secret: "one" } });
  const found = (): string[][] => ["one", "two"].map((name) => names(cache.by(bySecret, `default/${name}`)));
  const created = found();
  await client.patch(ConfigMap, "default/a", { merge: { data: { secret: "two" } } });
  expect([created, found()]).toEqual([
    [["a"], []],
    [[], ["a"]],
  ]);
});

test("an index that no controller declares is an error that says how to declare it", async () => {
  await using world = await Controlled.start();
  await world.run(indexed([bySecret]));
  const other = index(ConfigMap, () => ["x"]);
  expect(() => world.environment.cache.by(other, "x")).toThrow(
    new TypeError(
      "expected an index that a controller declares, got one of v1 ConfigMap that none does; " +
        "add it to `indexes` of the controller that uses it",
    ),
  );
});

test("an index of a kind that its controller does not watch is an error", () => {
  const byNode = index(Pod, ({ spec }) => [spec?.nodeName ?? ""]);
  const message =
    'expected indexes of kinds that controller "configmap" watches (v1 ConfigMap, v1 Secret), ' +
    "got one of v1 Pod; add the kind to `on`";
  expect(() => indexed([byNode], owns(Secret))).toThrow(new TypeError(message));
  const byLabel = index(metadataOnly(Secret), ({ metadata }) => Object.keys(metadata.labels ?? {}));
  expect(() => indexed([byLabel], owns(Secret))).toThrow("got one of v1 Secret metadata");
});

test("a value that is neither a text nor a key is an error of the lookup, and is logged for an object", async () => {
  await using world = await Controlled.start();
  const invalid = index(ConfigMap, ({ data }) => [data?.value as string]);
  await world.run(indexed([invalid]));
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.create(ConfigMap, { metadata: { name: "b" }, data: { value: "x" } });
  await world.settle();
  const { cache } = world.environment;
  const problem = "expected a string or an object key as the value of an index, got undefined";
  expect(() => cache.by(invalid, undefined as never)).toThrow(new TypeError(problem));
  expect(names(cache.by(invalid, "x"))).toEqual(["b"]);
  const errors = world.logged.filter(({ level }) => level === "error");
  expect(errors.map(({ message, fields }) => [message, fields.key, (fields.error as Error).message])).toEqual(
    [["index function failed", "default/a", problem]],
  );
});

test("every view of a kind has the index, also a view that was declared before it or later", async () => {
  await using world = await Controlled.start();
  const labelled = (app: string): Trigger => watches(ConfigMap, () => [], { view: { labels: { app } } });
  const viewing = (app: string, indexes: readonly Index<KubeObject>[]): Controller =>
    controller({ name: app, for: Secret, on: [labelled(app)], indexes, reconcile });
  for (const app of ["a", "b", "c"]) {
    await world.live.create(ConfigMap, { metadata: { name: app, labels: { app } }, data: { secret: "one" } });
  }
  await world.run(viewing("a", []));
  await world.run(viewing("b", [bySecret]));
  const { cache } = world.environment;
  const before = names(cache.by(bySecret, "default/one"));
  await world.run(viewing("c", []));
  expect([before, names(cache.by(bySecret, "default/one"))]).toEqual([
    ["a", "b"],
    ["a", "b", "c"],
  ]);
});

test("an index needs a function", () => {
  expect(() => index(ConfigMap, ["a"] as never)).toThrow(
    new TypeError(
      "expected a function that returns the values of an object, got [ 'a' ]; write index(ConfigMap, (object) => [...])",
    ),
  );
});
