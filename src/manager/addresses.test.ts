import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { controller } from "../controller/index.ts";
import { webhook } from "../webhook/index.ts";
import { Managed } from "./managed.fixture.ts";

const host = "127.0.0.1";
const watching = controller({ name: "watching", for: ConfigMap, reconcile: async () => {} });
const off = { metrics: undefined, health: undefined, webhooks: undefined };

test("the addresses of a manager are those of its servers, from when they listen until they are closed", async () => {
  await using world = await Managed.start();
  const webhooks = [webhook(ConfigMap, { validate() {} })];
  const webhookServer = { host, port: 0, service: { name: "site" } };
  const ports = { metrics: { port: 0, host }, health: { port: 0, host } };
  const made = world.manager([watching], { webhooks, webhookServer, ...ports });
  expect(made.addresses).toEqual(off);
  const over = made.run({ signal: world.ended.signal });
  await made.ready;
  const listening = { host, port: expect.any(Number) };
  expect(made.addresses).toEqual({ metrics: listening, health: listening, webhooks: listening });
  const statuses = await Promise.all(
    [`${made.addresses.metrics?.port}/metrics`, `${made.addresses.health?.port}/healthz`].map(
      async (at) => (await fetch(`http://${host}:${at}`)).status,
    ),
  );
  expect(statuses).toEqual([200, 200]);
  await world.end();
  await over;
  expect(made.addresses).toEqual(off);
});

test("a server that is off has no address", async () => {
  await using world = await Managed.start();
  const made = await world.run([watching], { health: { port: 0, host } });
  await made.ready;
  expect(made.addresses).toEqual({ ...off, health: { host, port: expect.any(Number) } });
});
