import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import { type Controller, controller } from "../controller/index.ts";
import type { RunnableContext } from "./index.ts";
import { Managed } from "./managed.fixture.ts";

/** Applies one data key of the Secret with the name of the ConfigMap. */
function applying(name: string, fieldManager?: string): Controller {
  return controller({
    name,
    fieldManager,
    for: ConfigMap,
    async reconcile({ name: secret, namespace }, { client }) {
      await client.apply(Secret, { metadata: { name: secret, namespace }, data: { [name]: "MQ==" } });
    },
  });
}

test("two controllers that apply one object keep each other's fields, each as its own field manager", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await world.run([applying("one"), applying("two")]);
  const secret = await client.get(Secret, "a");
  expect(Object.keys(secret?.data ?? {}).sort()).toEqual(["one", "two"]);
  const managers = secret?.metadata.managedFields?.map(({ manager, operation }) => `${operation} ${manager}`);
  expect(managers?.sort()).toEqual(["Apply one", "Apply two"]);
});

test("a manager refuses two controllers with one field manager, also when one is added", async () => {
  await using world = await Managed.start();
  const message =
    'expected a different field manager for each controller, got "web" for both "one" and "two"; ' +
    "set `fieldManager` of one of them";
  expect(() => world.manager([applying("one", "web"), applying("two", "web")])).toThrow(message);
  const made = world.manager([applying("one", "web")]);
  expect(() => made.add(applying("two", "web"))).toThrow(message);
  made.add(applying("three"));
});

test("a manager refuses two controllers of one kind with one finalizer", async () => {
  await using world = await Managed.start();
  const cleaning = (name: string, kind: typeof ConfigMap | typeof Secret): Controller => {
    const reconcile = async (): Promise<void> => {};
    return controller<ConfigMap | Secret>({
      name,
      for: kind,
      reconcile,
      finalizer: "example.dev/web",
      cleanup: reconcile,
    });
  };
  world.manager([cleaning("one", ConfigMap), cleaning("two", Secret)]);
  expect(() => world.manager([cleaning("one", ConfigMap), cleaning("two", ConfigMap)])).toThrow(
    'expected each controller of ConfigMap to have its own finalizer, got "example.dev/web" for both "one" and "two"',
  );
});

test("events name the controller or the runnable that recorded them", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const map = await client.create(ConfigMap, { metadata: { name: "a" } });
  const recording = (name: string): Controller =>
    controller({
      name,
      for: ConfigMap,
      reconcile: async (_, { events }) => events.normal(map, "Seen", `by ${name}`),
    });
  const runnable = {
    name: "warm up",
    run: async ({ events }: RunnableContext) => events.warning(map, "Seen", "by warm up"),
  };
  await world.run([recording("one"), recording("two")], { runnables: [runnable] });
  await world.end();
  const events = await client.list(Event, { namespace: "default" });
  expect(events.map(({ note, reportingController }) => `${note}: ${reportingController}`).sort()).toEqual([
    "by one: one",
    "by two: two",
    "by warm up: warm-up",
  ]);
});
