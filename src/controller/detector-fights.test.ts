import { expect, test } from "vitest";
import { ConfigMap, Service } from "../api/types/core/v1.ts";
import { isConflict } from "../client/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Controller, channel, controller } from "./index.ts";

test("a field that the server stores differently is reported with the sent and the stored value", async () => {
  await using world = await Controlled.start();
  const kicks = channel();
  await world.live.create(Service, { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
  await world.run(
    controller({
      name: "service",
      for: Service,
      on: [kicks],
      async reconcile(key, { client }) {
        const service = await client.get(Service, key);
        if (!service) return;
        const ports = [{ port: 80 }];
        await client.update(Service, { ...service, spec: { ...service.spec, ports } });
      },
    }),
  );
  for (let times = 1; times <= 12; times += 1) {
    kicks.push("default/a");
    await world.settle();
  }
  expect(world.warnings).toEqual([
    {
      message: "write is repeated because the server stores different values each time",
      controller: "service",
      cause: "defaulting",
      key: "default/a",
      write: "update Service default/a",
      times: 10,
      differs: [
        'spec.ports[0].protocol: sent nothing, stored "TCP"',
        "spec.ports[0].targetPort: sent nothing, stored 80",
      ],
      advice:
        "send the values that the server stores, or use `apply` with only the fields that matter: the server defaults the others",
    },
  ]);
});

test("a status that the server ignores is reported with the call that writes it", async () => {
  await using world = await Controlled.start();
  const kicks = channel();
  await world.live.create(Service, { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
  await world.run(
    controller({
      name: "service",
      for: Service,
      on: [kicks],
      async reconcile(key, { client }) {
        const loadBalancer = { ingress: [{ ip: "10.0.0.1" }] };
        await client.patch(Service, key, { merge: { status: { loadBalancer } } });
      },
    }),
  );
  for (let times = 1; times <= 12; times += 1) {
    kicks.push("default/a");
    await world.settle();
  }
  expect(world.warnings).toEqual([
    {
      message: "write is repeated because the server stores different values each time",
      controller: "service",
      cause: "defaulting",
      key: "default/a",
      write: "patch Service default/a",
      times: 10,
      differs: ['status.loadBalancer.ingress: sent [{"ip":"10.0.0.1"}], stored nothing'],
      advice: 'the status is a subresource: write it with `applyStatus`, or with `subresource: "status"`',
    },
  ]);
});

test("a field that another writer resets is reported with both values and the other field manager", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      for: ConfigMap,
      name: "ours",
      async reconcile(key, { client }) {
        await client.apply(ConfigMap, { metadata: { ...key }, data: { size: "1" } });
      },
    }),
  );
  for (let times = 1; times <= 8; times += 1) {
    const theirs = { merge: { data: { size: "2" } } };
    await world.live.patch(ConfigMap, "a", theirs, { fieldManager: "scaler" });
    await world.settle();
  }
  expect(world.warnings).toEqual([
    {
      message:
        "controllers fight over a field: this one sets it, another writer changes it, and this one sets it again",
      controller: "ours",
      cause: "fight",
      key: "default/a",
      write: "apply ConfigMap default/a",
      times: 3,
      field: "data.size",
      ours: '"1"',
      theirs: '"2"',
      other: 'field manager "scaler"',
      advice:
        "do not write the field here, or stop the other writer from setting it; " +
        "if both use the same field manager, give this controller another `fieldManager`",
    },
  ]);
});

test("two controllers of one manager that set a field differently are reported by name", async () => {
  await using world = await Controlled.start();
  let writes = 0;
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const setter = (name: string, size: string): Controller =>
    controller({
      for: ConfigMap,
      name,
      async reconcile(key, { client }) {
        writes += 1;
        if (writes < 40) await client.patch(ConfigMap, key, { merge: { data: { size } } });
      },
    });
  await world.run(setter("small", "1"), setter("large", "9"));
  while (writes < 40) await world.settle();
  const reports = world.warnings.map(({ controller, cause, other }) => ({ controller, cause, other }));
  expect(reports.sort((one, two) => `${two.controller}`.localeCompare(`${one.controller}`))).toEqual([
    {
      controller: "small",
      cause: "fight",
      other: 'controller "large" of this manager, for default/a',
    },
    {
      controller: "large",
      cause: "fight",
      other: 'controller "small" of this manager, for default/a',
    },
  ]);
});

test("many conflicts are reported with their share of the writes", async () => {
  await using world = await Controlled.start();
  const kicks = channel();
  const old = await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.patch(ConfigMap, "a", { merge: { data: { newer: "1" } } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [kicks],
      async reconcile(_key, { client }) {
        for (let times = 1; times <= 10; times += 1) {
          await client.update(ConfigMap, old).catch((error: unknown) => {
            if (!isConflict(error)) throw error;
          });
        }
      },
    }),
  );
  kicks.push("default/a");
  await world.settle();
  kicks.push("default/a");
  await world.settle();
  expect(world.warnings).toEqual([
    {
      message: "many writes fail with 409 Conflict, because the object changed after it was read",
      controller: "configmap",
      cause: "conflicts",
      conflicts: 20,
      writes: 20,
      withinMs: 60_000,
      kind: "ConfigMap",
      advice:
        "use `apply` or `patch`, which need no resource version, for fields of this controller; for `update`, read again and retry " +
        "(`retryOnConflict`); let one controller write a field",
    },
  ]);
});
