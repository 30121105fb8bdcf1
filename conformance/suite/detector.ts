import { type Controller, channel, controller, loggerTo, owns } from "trimtab";
import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Secret, Service } from "trimtab/api/core/v1";
import { type AtWork, atWork, Notes } from "../at-work.ts";
import { type Stage, scenario } from "../scenario.ts";

const ours = { labels: { of: "us" } };

/** A running controller whose findings are recorded. */
function watched(stage: Stage, troubles: Notes, controllers: readonly Controller[]): Promise<AtWork> {
  const log = loggerTo(({ level, fields }) => {
    const { cause, changed, differs, field, ours, theirs, other } = fields;
    const summary = [cause, changed, differs, field, ours, theirs, other].filter(
      (each) => each !== undefined,
    );
    if (level === "warn") troubles.add(summary.join(" | "));
  });
  return atWork(stage, controllers, { log });
}

scenario("a reconcile that triggers itself is reported with the field that it changes", async (stage) => {
  const { client, signal, expect } = stage;
  const troubles = new Notes();
  let turns = 0;
  const restless = controller({
    name: "configmap",
    for: ConfigMap,
    view: ours,
    async reconcile(key, context) {
      turns += 1;
      if (turns <= 15) await context.client.patch(ConfigMap, key, { merge: { data: { at: `${turns}` } } });
    },
  });
  await client.create(ConfigMap, { metadata: { name: "a", ...ours } });
  await using _work = await watched(stage, troubles, [restless]);
  expect(await troubles.next(signal)).toBe('loop | data.at: "11" → "12"');
});

scenario("a timestamp written into the status at each reconcile is reported as a loop", async (stage) => {
  const { client, signal, expect } = stage;
  const troubles = new Notes();
  let turns = 0;
  const restless = controller({
    name: "deployment",
    for: Deployment,
    async reconcile(key, context) {
      turns += 1;
      if (turns > 15) return;
      const lastUpdateTime = new Date(1_800_000_000_000 + turns * 1000).toISOString().replace(".000", "");
      const conditions = [{ type: "Progressing", status: "True", lastUpdateTime }];
      await context.client.patch(
        Deployment,
        key,
        { merge: { status: { conditions } } },
        { subresource: "status" },
      );
    },
  });
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  await client.create(Deployment, {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: labels }, template },
  });
  await using _work = await watched(stage, troubles, [restless]);
  expect(await troubles.next(signal)).toBe(
    'loop | status.conditions[0].lastUpdateTime: "2027-01-15T08:00:11Z" → "2027-01-15T08:00:12Z"',
  );
});

scenario(
  "an apply with a different field manager each time is reported as a change of the resource version only",
  async (stage) => {
    const { client, signal, expect } = stage;
    const troubles = new Notes();
    let turns = 0;
    const restless = controller({
      name: "configmap",
      for: ConfigMap,
      view: ours,
      on: [owns(Secret)],
      async reconcile(key, context) {
        const owner = await context.client.get(ConfigMap, key);
        turns += 1;
        if (!owner || turns > 15) return;
        const fieldManager = `replica-${turns}`;
        await context.client.apply(Secret, { metadata: { ...key }, type: "Opaque" }, { owner, fieldManager });
      },
    });
    await client.create(ConfigMap, { metadata: { name: "a", ...ours } });
    await using _work = await watched(stage, troubles, [restless]);
    expect(await troubles.next(signal)).toBe("no-op");
  },
);

scenario("an update that omits defaulted fields is reported with the stored values", async (stage) => {
  const { client, signal, expect, namespace } = stage;
  const [troubles, done] = [new Notes(), new Notes()];
  const kicks = channel();
  const stubborn = controller({
    name: "service",
    for: Service,
    view: ours,
    on: [kicks],
    async reconcile(key, context) {
      const service = await context.client.get(Service, key);
      if (!service) return;
      const spec = { ...service.spec, ports: [{ port: 80 }] };
      await context.client.update(Service, { ...service, spec });
      done.add("done");
    },
  });
  await client.create(Service, { metadata: { name: "a", ...ours }, spec: { ports: [{ port: 80 }] } });
  await using _work = await watched(stage, troubles, [stubborn]);
  for (let times = 1; times <= 12; times += 1) {
    await done.next(signal);
    kicks.push(`${namespace}/a`);
  }
  expect(await troubles.next(signal)).toBe(
    'defaulting | spec.ports[0].protocol: sent nothing, stored "TCP",' +
      "spec.ports[0].targetPort: sent nothing, stored 80",
  );
});

scenario(
  "a field that another writer reverts each time is reported with its field manager",
  async (stage) => {
    const { client, signal, expect } = stage;
    const [troubles, versions] = [new Notes(), new Notes()];
    const setter = controller({
      name: "configmap",
      for: ConfigMap,
      view: ours,
      async reconcile(key, context) {
        const { metadata } = await context.client.apply(ConfigMap, {
          metadata: { ...key },
          data: { size: "1" },
        });
        versions.add(metadata.resourceVersion);
      },
    });
    const { metadata } = await client.create(ConfigMap, { metadata: { name: "a", ...ours } });
    await using _work = await watched(stage, troubles, [setter]);
    let last = metadata.resourceVersion;
    for (let times = 1; troubles.left.length === 0; times += 1) {
      while (BigInt(await versions.next(signal)) <= BigInt(last)); // not reverted yet
      const theirs = { merge: { data: { size: `${times + 1}` } } };
      last = (await client.patch(ConfigMap, "a", theirs, { fieldManager: "scaler" })).metadata
        .resourceVersion;
    }
    expect(await troubles.next(signal)).toMatch(
      /^fight \| data\.size \| "1" \| "\d+" \| field manager "scaler"$/,
    );
  },
);
