import { ConfigMap, Event as CoreEvent } from "trimtab/api/core/v1";
import { Event } from "trimtab/api/events/v1";
import { recorder } from "trimtab/recorder";
import { firstOf } from "../first-of.ts";
import { scenario } from "../scenario.ts";

scenario("recorded events are accepted and counted as series", async ({ client, signal, expect }) => {
  const menu = await client.create(ConfigMap, { metadata: { name: "menu" } });
  const events = recorder({ client, component: "example.dev/shop", instance: "host" });
  events.warning(menu, "Burnt", { note: "the soup", action: "Cooking", annotations: { table: "4" } });
  const [first] = await firstOf(1, client.watch(Event, { signal }));
  events.warning(menu, "Burnt", { note: "the soup", action: "Cooking" });
  events.warning(menu, "Burnt", { note: "the soup", action: "Cooking" });
  await events.close();
  const [event, ...others] = await client.list(Event);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ type: "added", key: { name: event?.metadata.name } });
  expect(event).toMatchObject({
    metadata: { annotations: { table: "4" } },
    type: "Warning",
    reason: "Burnt",
    note: "the soup",
    action: "Cooking",
    regarding: { kind: "ConfigMap", name: "menu", uid: menu.metadata.uid },
    reportingController: "example.dev/shop",
    reportingInstance: "host",
    series: { count: 3 },
  });
});

scenario("recorded events of the core are accepted and counted", async ({ client, signal, expect }) => {
  const menu = await client.create(ConfigMap, { metadata: { name: "menu" } });
  const events = recorder({ client, component: "shop", instance: "host", api: "v1" });
  events.normal(menu, "Served", "the soup");
  await firstOf(1, client.watch(CoreEvent, { signal }));
  events.normal(menu, "Served", "the soup");
  await events.close();
  const [event, ...others] = await client.list(CoreEvent);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    involvedObject: { kind: "ConfigMap", name: "menu", uid: menu.metadata.uid },
    type: "Normal",
    reason: "Served",
    message: "the soup",
    source: { component: "shop", host: "host" },
    reportingComponent: "shop",
    reportingInstance: "host",
    count: 2,
  });
});

scenario(
  "recorded events that were deleted are created again",
  async ({ client, namespace, signal, expect }) => {
    const menu = await client.create(ConfigMap, { metadata: { name: "menu" } });
    const events = recorder({ client, component: "shop", instance: "host", api: "v1" });
    events.normal(menu, "Served", "the soup");
    await firstOf(1, client.watch(CoreEvent, { signal }));
    await client.deleteAll(CoreEvent, { namespace });
    events.normal(menu, "Served", "the soup");
    await events.close();
    expect((await client.list(CoreEvent)).map(({ count }) => count)).toEqual([2]);
  },
);
