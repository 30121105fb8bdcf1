import { expect, test, vi } from "vitest";
import { ConfigMap } from "../../api/types/core/v1.ts";
import { ApiError } from "../../client/index.ts";
import { type Controller, controller, external } from "../../controller/index.ts";
import { Managed, reconciling } from "../managed.fixture.ts";
import { install, uninstall, Website } from "../website.fixture.ts";

const websites = (log: string[]): Controller =>
  controller({
    name: "website",
    for: Website,
    reconcile: async ({ name }) => void log.push(`website ${name}`),
  });

/** Returns the fields of log entries with this message. */
const fieldsOf = (world: Managed, text: string): unknown[] =>
  world.logged.filter(({ message }) => message === text).map(({ fields }) => fields);

test('with missingKinds "wait" a controller waits for a missing kind, and the others run', async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const log: string[] = [];
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const others = reconciling(async (name) => void log.push(name));
  const running = await world.run([websites(log), others], { missingKinds: "wait" });
  await world.clock.advance(60_000);
  expect([log, fieldsOf(world, "waiting for missing kinds")]).toEqual([
    ["a"],
    [
      {
        controller: "website",
        kinds: ["example.dev/v1 Website"],
        fix: "kubectl apply -f <the file of CustomResourceDefinition websites.example.dev>",
      },
    ],
  ]);
  await install(client);
  await client.create(Website, { metadata: { name: "w" } });
  await world.clock.advance(15_000);
  await running.ready;
  expect([log, world.messages("warn", "error")]).toEqual([["a", "website w"], ["waiting for missing kinds"]]);
});

test("a CRD that is deleted while its controller runs is logged once, and the controller resumes when it is back", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const log: string[] = [];
  await install(client);
  await client.create(Website, { metadata: { name: "before" } });
  const running = await world.run([websites(log)]);
  await running.ready;
  for (const name of ["after", "later"]) {
    await uninstall(client);
    await world.clock.advance(300_000);
    expect(() => running.cache.of(Website)).toThrow("got example.dev/v1 Website");
    log.length = 0;
    await install(client);
    await client.create(Website, { metadata: { name } });
    await world.clock.advance(15_000);
    expect([log, world.messages("warn", "error")]).toEqual([
      [`website ${name}`],
      ["waiting for missing kinds"],
    ]);
    expect(world.logged.flatMap(({ fields }) => (fields.error instanceof Error ? [fields] : []))).toEqual([]);
    world.logged.length = 0;
  }
  expect(await world.end()).toBe("over");
  expect(world.clock.timers).toBe(0);
});

test("an external source is stopped while a kind is missing, and started again with the controller", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const log: string[] = [];
  async function* messages(signal: AbortSignal): AsyncGenerator<string, void, void> {
    log.push("started");
    yield "default/one";
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    log.push("stopped");
  }
  await install(client);
  const made = controller({
    name: "website",
    for: Website,
    on: [external(messages)],
    reconcile: async ({ name }) => void log.push(name),
  });
  await world.run([made]);
  await uninstall(client);
  await world.clock.advance(60_000);
  expect(log).toEqual(["started", "one", "stopped"]);
  await install(client);
  await world.clock.advance(15_000);
  expect(log).toEqual(["started", "one", "stopped", "started", "one"]);
  expect(world.logged.filter(({ message }) => message.startsWith("external source"))).toEqual([]);
});

test("a manager that waits for a kind stops when its signal aborts", async () => {
  await using world = await Managed.start();
  const running = await world.run([websites([])], { missingKinds: "wait" });
  await world.clock.advance(5000);
  expect(await world.end()).toBe("over");
  await expect(running.ready).rejects.toThrow("ended first");
  expect(world.clock.timers).toBe(0);
});

test("without preflight, a missing kind is logged once and then fails the run", async () => {
  await using world = await Managed.start();
  await world.run([websites([])], { preflight: false });
  await world.clock.advance(30_000);
  expect(await world.over).toMatch(/^expected example.dev\/v1 Website to be listed within/);
  expect(world.messages("warn", "error")).toEqual(["watch failed"]);
});

test("a kind that is back and forbidden is logged and retried, and the manager continues", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const log: string[] = [];
  let refused = false;
  const limited = client.through((below) => ({
    server: below.server,
    send: (request) => below.send(request),
    open: async (request) => {
      if (!refused || !request.path.includes("/websites")) return below.open(request);
      const { method, path } = request;
      throw new ApiError("may not list websites", {
        code: 403,
        reason: "Forbidden",
        request: { method, path },
      });
    },
    close: () => below.close(),
  }));
  await install(client);
  await world.run([websites(log)], { client: limited });
  await uninstall(client);
  await world.clock.advance(120_000);
  refused = true;
  await install(client);
  await client.create(Website, { metadata: { name: "w" } });
  await world.clock.advance(60_000);
  expect([log, world.messages("error")[0]]).toEqual([[], "cache sync failed; retrying"]);
  refused = false;
  await world.clock.advance(60_000);
  expect(log).toEqual(["website w"]);
  expect(await world.end()).toBe("over");
});

test("readiness waits neither for a missing kind nor for its cache when it appears", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await world.run([websites([]), reconciling(async () => {})], { missingKinds: "wait", health: { port: 0 } });
  const readyz = async (): Promise<[number, string]> => {
    const response = await fetch(`http://127.0.0.1:${await portOf(world)}/readyz`);
    return [response.status, await response.text()];
  };
  await vi.waitFor(async () => {
    await world.settle();
    expect(await readyz()).toEqual([200, "ok"]);
  }, 20_000);
  await install(client);
  for (let second = 0; second < 15; second++) {
    await world.clock.advance(1000);
    expect(await readyz()).toEqual([200, "ok"]);
  }
});

/** Resolves with the port of the health server when it listens. */
function portOf(world: Managed): Promise<number> {
  return vi.waitFor(() => {
    const [served] = fieldsOf(world, "serving") as { readonly port: number }[];
    if (!served) throw new Error("the health server does not listen yet");
    return served.port;
  }, 20_000);
}
