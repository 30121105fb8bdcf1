import { expect, test } from "vitest";
import { type TestServer, testServer } from "../requests.fixture.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const secrets = "/api/v1/namespaces/default/secrets";

interface Updates {
  /** The approximate number of characters of each version. */
  readonly length: number;
  readonly times: number;
}

/** Replaces an object a number of times. Returns the first resource version. */
async function updated({ object }: TestServer, path: string, { length, times }: Updates): Promise<string> {
  const metadata = { name: "a" };
  const first = await object("POST", path, { metadata });
  for (let time = 0; time < times; time += 1) {
    const data = { a: Buffer.alloc(length, time).toString("base64") };
    await object("PUT", `${path}/a`, { metadata, data });
  }
  return String(first.metadata.resourceVersion);
}

const characters = 2 ** 20;

test("a watch from before the oldest kept change has expired", async () => {
  using server = testServer({ history: { maxCharacters: characters } });
  const revision = await updated(server, configMaps, { length: characters / 8, times: 20 });
  const watch = await server.watch(`${configMaps}?watch=1&resourceVersion=${revision}`);
  const [event] = await watch.events();
  expect(event).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
  const current = String((await server.list(configMaps)).metadata.resourceVersion);
  const later = await server.watch(`${configMaps}?watch=1&resourceVersion=${Number(current) - 1}`);
  expect(await later.events()).toMatchObject([{ type: "MODIFIED" }]);
});

test("large changes of one kind do not expire watches of another", async () => {
  using server = testServer({ history: { maxCharacters: characters } });
  const revision = await updated(server, secrets, { length: 10, times: 3 });
  await updated(server, configMaps, { length: characters / 8, times: 20 });
  const watch = await server.watch(`${secrets}?watch=1&resourceVersion=${revision}`);
  expect(await watch.events()).toMatchObject([
    { type: "MODIFIED" },
    { type: "MODIFIED" },
    { type: "MODIFIED" },
  ]);
});

test("a change that is larger than the limit still reaches watchers", async () => {
  using server = testServer({ history: { maxCharacters: 100 } });
  const watch = await server.watch(`${configMaps}?watch=1`);
  await watch.events();
  await server.object("POST", configMaps, { metadata: { name: "a" }, data: { a: "x".repeat(1000) } });
  expect(await watch.events()).toMatchObject([{ type: "ADDED" }]);
});
