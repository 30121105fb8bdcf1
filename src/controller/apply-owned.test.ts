import { expect, test } from "vitest";
import { type KubeObject, keyOf, metadataOnly } from "../api/index.ts";
import { Job } from "../api/types/batch/v1.ts";
import { ConfigMap, Namespace, ResourceQuota, Secret } from "../api/types/core/v1.ts";
import { isInvalid } from "../client/index.ts";
import type { FaultRule } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import {
  type ApplyOwned,
  type Context,
  type ControllerOptions,
  child,
  controller,
  owns,
  type Trigger,
} from "./index.ts";

/** Watches of the resource deliver the objects that exist, and nothing after them. */
function frozen(resource: string): FaultRule {
  return { on: { verb: "watch", resource }, fault: { type: "freeze", afterEvents: 1 } };
}

interface FamilyOptions extends Pick<ControllerOptions<ConfigMap>, "fieldManager" | "formerFieldManagers"> {
  readonly on?: readonly Trigger[];
  readonly faults?: readonly FaultRule[];
}

/** A controller whose reconcile of `default/owner` has ended. Its `applyOwned` stays usable. */
class Family implements AsyncDisposable {
  readonly world: Controlled;
  readonly owner: ConfigMap;
  readonly apply: ApplyOwned;

  static async start({
    on = [owns(Secret), owns(Job)],
    faults,
    ...options
  }: FamilyOptions = {}): Promise<Family> {
    const world = await Controlled.start({ faults: faults ?? [] });
    const owner = await world.live.create(ConfigMap, { metadata: { name: "owner" } });
    const contexts: Context[] = [];
    const reconcile = async (_key: unknown, context: Context): Promise<void> => void contexts.push(context);
    await world.run(controller({ name: "family", for: ConfigMap, on, reconcile, ...options }));
    const [context] = contexts;
    if (!context) throw new Error("expected a reconcile, got none");
    return new Family(world, owner, context.applyOwned);
  }

  private constructor(world: Controlled, owner: ConfigMap, apply: ApplyOwned) {
    this.world = world;
    this.owner = owner;
    this.apply = apply;
  }

  /** Keys of the Secrets on the server. */
  async secrets(): Promise<string[]> {
    return (await this.world.live.list(Secret)).map(keyOf).sort();
  }

  /** The writes that `applyOwned` has sent since the last call. */
  sent(): string[] {
    return this.world.sent.splice(0).map((each) => each.replace(/\/apis?\/.*namespaces\/default\//, ""));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

const secret = (name: string): ReturnType<typeof child<Secret>> => child(Secret, { metadata: { name } });
const template = { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } } as const;
const job = (name: string): ReturnType<typeof child<Job>> =>
  child(Job, { metadata: { name }, spec: { template } });
const names = (objects: readonly { readonly name: string }[]): string[] => objects.map(({ name }) => name);

test("a set is applied in its order, with the owner and the label of the controller", async () => {
  await using family = await Family.start({ fieldManager: "family.example.dev" });
  const { applied, pruned } = await family.apply(family.owner, [job("a"), secret("b"), secret("a")]);
  expect([family.sent(), pruned]).toEqual([["PATCH jobs/a", "PATCH secrets/b", "PATCH secrets/a"], []]);
  const { uid } = family.owner.metadata;
  expect(
    applied.map(({ kind, metadata }) => [kind, metadata.labels, metadata.ownerReferences?.[0]?.uid]),
  ).toEqual(
    ["Job", "Secret", "Secret"].map((kind) => [
      kind,
      { "trimtab.dev/applied-by": "family.example.dev" },
      uid,
    ]),
  );
});

test("what a set no longer has is deleted, kinds in the reverse order of `on`", async () => {
  await using family = await Family.start();
  await family.apply(family.owner, [secret("a"), secret("b"), secret("c"), job("a")]);
  await family.world.settle();
  family.sent();
  const { pruned } = await family.apply(family.owner, [secret("b"), secret("d")]); // b is unchanged, so it is not sent
  expect(family.sent()).toEqual(["PATCH secrets/d", "DELETE jobs/a", "DELETE secrets/c", "DELETE secrets/a"]);
  expect(pruned.map(({ kind, namespace, name }) => [kind.kind, namespace, name])).toEqual([
    ["Job", "default", "a"],
    ["Secret", "default", "c"],
    ["Secret", "default", "a"],
  ]);
  expect([await family.secrets(), await family.world.live.list(Job)]).toEqual([
    ["default/b", "default/d"],
    [],
  ]);
});

test("an object that no watch has delivered yet is deleted too, and only once", async () => {
  await using family = await Family.start({ faults: [frozen("secrets")] });
  await family.apply(family.owner, [secret("a"), secret("b")]);
  expect(names((await family.apply(family.owner, [secret("a")])).pruned)).toEqual(["b"]);
  expect((await family.apply(family.owner, [secret("a")])).pruned).toEqual([]);
  expect(await family.secrets()).toEqual(["default/a"]);
});

test("an empty set deletes everything, but nothing that is terminating already", async () => {
  await using family = await Family.start();
  const held = child(Secret, { metadata: { name: "held", finalizers: ["example.dev/hold"] } });
  await family.apply(family.owner, [secret("a"), held]);
  expect(names((await family.apply(family.owner, [])).pruned)).toEqual(["held", "a"]);
  await family.world.settle();
  expect((await family.apply(family.owner, [])).pruned).toEqual([]);
  expect(await family.secrets()).toEqual(["default/held"]);
});

test("nothing is deleted if an apply fails", async () => {
  await using family = await Family.start();
  await family.apply(family.owner, [secret("a")]);
  const failing = family.apply(family.owner, [secret("b"), secret("Invalid name"), secret("c")]);
  await expect(failing).rejects.toSatisfy(isInvalid);
  expect(await family.secrets()).toEqual(["default/a", "default/b"]);
});

test("a dry run writes nothing and returns what would be deleted", async () => {
  await using family = await Family.start();
  await family.apply(family.owner, [secret("a"), secret("b")]);
  family.sent();
  const { pruned } = await family.apply(family.owner, [secret("a"), secret("c")], { dryRun: true });
  expect([names(pruned), family.sent()]).toEqual([["b"], []]);
});

test("objects of other owners, of other controllers and without the label stay", async () => {
  await using family = await Family.start();
  const { world, owner, apply } = family;
  const label = { "trimtab.dev/applied-by": "family" };
  const other = await world.live.create(ConfigMap, { metadata: { name: "other" } });
  await world.live.create(Secret, { metadata: { name: "of-other", labels: label } }, { owner: other });
  const labels = { "trimtab.dev/applied-by": "relatives" };
  await world.live.create(Secret, { metadata: { name: "of-relatives", labels } }, { owner });
  await world.live.create(Secret, { metadata: { name: "by-hand" } }, { owner });
  await world.live.create(Secret, { metadata: { name: "unowned", labels: label } });
  await world.settle();
  expect((await apply(owner, [])).pruned).toEqual([]);
});

test("objects that the controller applied under former field managers are deleted", async () => {
  await using family = await Family.start({ fieldManager: "new", formerFieldManagers: ["old", "older one"] });
  const hash = "9b4bcc6ee83527f0a4f74595f5dd4f1b858ca4d3";
  for (const [name, value] of Object.entries({ a: "old", b: hash, c: "new" })) {
    const labels = { "trimtab.dev/applied-by": value };
    await family.world.live.create(Secret, { metadata: { name, labels } }, { owner: family.owner });
  }
  await family.world.settle();
  expect(names((await family.apply(family.owner, [])).pruned)).toEqual(["c", "b", "a"]);
});

test("an object that another client has changed is deleted after it is read again", async () => {
  await using family = await Family.start({ faults: [frozen("secrets")] });
  await family.apply(family.owner, [secret("a")]);
  await family.world.live.patch(Secret, "a", { merge: { metadata: { annotations: { changed: "yes" } } } });
  expect(names((await family.apply(family.owner, [])).pruned)).toEqual(["a"]);
  expect(await family.secrets()).toEqual([]);
});

test("an object that another client has released or replaced stays", async () => {
  await using family = await Family.start({ faults: [frozen("secrets")] });
  const { live } = family.world;
  await family.apply(family.owner, [secret("released"), secret("replaced"), secret("gone")]);
  await live.patch(Secret, "released", { merge: { metadata: { ownerReferences: null } } });
  await live.delete(Secret, "replaced");
  const { owner } = family;
  const labels = { "trimtab.dev/applied-by": "family" };
  await live.create(Secret, { metadata: { name: "replaced", labels } }, { owner });
  await live.delete(Secret, "gone");
  expect(names((await family.apply(owner, [])).pruned)).toEqual(["gone"]);
  expect(await family.secrets()).toEqual(["default/released", "default/replaced"]);
});

test("kinds that are cached as metadata only are deleted too", async () => {
  await using family = await Family.start({ on: [owns(metadataOnly(Secret))] });
  await family.apply(family.owner, [secret("a"), secret("b")]);
  expect(names((await family.apply(family.owner, [secret("b")])).pruned)).toEqual(["a"]);
  expect(await family.secrets()).toEqual(["default/b"]);
});

test("a cluster-scoped owner owns Namespaces and objects in them", async () => {
  await using world = await Controlled.start();
  const owner = await world.live.create(Namespace, { metadata: { name: "tenant" } });
  const pruned: string[][] = [];
  const set = (name: string) => [
    child(Namespace, { metadata: { name } }),
    child(ResourceQuota, { metadata: { name: "quota", namespace: name }, spec: { hard: { pods: "1" } } }),
  ];
  const tenants = controller({
    name: "tenants",
    for: Namespace,
    when: (event) => event.key === "tenant",
    on: [owns(Namespace), owns(ResourceQuota)],
    async reconcile(_key, { applyOwned }) {
      if (pruned.length > 1) return;
      await applyOwned(owner, set("one"));
      const result = await applyOwned(owner, set("two"));
      pruned.push(result.pruned.map(({ kind, name }) => `${kind.kind} ${name}`));
    },
  });
  await world.run(tenants);
  expect(pruned[0]).toEqual(["ResourceQuota quota", "Namespace one"]);
});

const refusals: readonly (readonly [string, Parameters<ApplyOwned>[1], string])[] = [
  [
    "in another namespace",
    [secret("a"), child(Secret, { metadata: { name: "b", namespace: "elsewhere" } })],
    "expected an object in namespace default of its owner ConfigMap default/owner, got Secret elsewhere/b",
  ],
  [
    "above the owner",
    [secret("a"), child(Namespace, { metadata: { name: "b" } })],
    "expected an object in namespace default of its owner ConfigMap default/owner, got Namespace b in none",
  ],
  [
    "twice",
    [secret("a"), child(Secret, { metadata: { name: "a", namespace: "default" } })],
    "expected each child once, got v1 Secret default/a twice; merge the two drafts",
  ],
  [
    "of a kind that is not owned",
    [secret("a"), child(ConfigMap, { metadata: { name: "b" } })],
    'expected children of kinds that controller "family" owns (v1 Secret, batch/v1 Job), got v1 ConfigMap default/b; ' +
      "add owns(ConfigMap) to `on`",
  ],
];

test.each(refusals)("a child %s is refused, and nothing is written", async (_what, children, message) => {
  await using family = await Family.start();
  for (const dryRun of [false, true]) {
    await expect(family.apply(family.owner, children, { dryRun })).rejects.toThrow(message);
  }
  expect(family.sent()).toEqual([]);
});

test("a child that the cache would not find again is refused", async () => {
  const view = { labels: { tier: "web" } };
  await using family = await Family.start({ on: [owns(Secret, { view })] });
  const web = child(Secret, { metadata: { name: "a", labels: { tier: "web" } } });
  expect(names((await family.apply(family.owner, [web])).applied.map(({ metadata }) => metadata))).toEqual([
    "a",
  ]);
  await expect(family.apply(family.owner, [secret("b")])).rejects.toThrow(
    "expected children that the cache of v1 Secret contains, got v1 Secret default/b, which its namespaces or labels " +
      "exclude; change the view of owns(Secret)",
  );
});

test("a namespaced child of a cluster-scoped owner needs a namespace", async () => {
  await using family = await Family.start();
  const owner: KubeObject = await family.world.live.create(Namespace, { metadata: { name: "tenant" } });
  await expect(family.apply(owner, [secret("a")])).rejects.toThrow(
    "expected a namespace for Secret a, because its owner Namespace tenant is cluster-scoped, got none; " +
      "set metadata.namespace",
  );
});
