import { expect, test } from "vitest";
import { type Clock, VirtualClock } from "../../base/index.ts";
import { type TestServer, testServer } from "../requests.fixture.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

/** A clock that advances by a millisecond on every read, so that long tasks take long. */
function busyClock(): Clock {
  const clock = new VirtualClock();
  let reads = 0;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + ++reads,
    timer: (afterMs, run) => clock.timer(afterMs, run),
  };
}

async function filled(): Promise<TestServer> {
  const server = testServer({ clock: busyClock() });
  for (let index = 0; index < 100; index += 1) {
    const metadata = { name: `a${index}`, labels: { app: "web" } };
    await server.object("POST", configMaps, { metadata });
  }
  return server;
}

/** Returns the order in which two concurrent requests are answered. */
async function responseOrder(server: TestServer, first: string, second: string): Promise<string[]> {
  const order: string[] = [];
  const sent = [first, second].map(async (line) => {
    const [method = "", path = ""] = line.split(" ");
    const { code } = await server.send(method, path);
    order.push(`${method} ${code}`);
  });
  await Promise.all(sent);
  return order;
}

test.each(["", "?labelSelector=app=web", "?limit=50&labelSelector=app=web"])(
  "a short request is answered while a long list %s is written",
  async (query) => {
    using server = await filled();
    const order = await responseOrder(server, `GET ${configMaps}${query}`, `DELETE ${configMaps}/a99`);
    expect(order).toEqual(["DELETE 200", "GET 200"]);
  },
);

test("a list has the objects at the time of the request", async () => {
  using server = await filled();
  const list = server.list(configMaps);
  await server.object("DELETE", `${configMaps}/a99`);
  expect((await list).items.map(({ metadata }) => metadata.name)).toContain("a99");
  expect((await server.list(configMaps)).items).toHaveLength(99);
});

test("a short request is answered while a collection is deleted", async () => {
  using server = await filled();
  const order = await responseOrder(server, `DELETE ${configMaps}`, `GET ${configMaps}/a99`);
  expect(order).toEqual(["GET 200", "DELETE 200"]);
});

test("deletecollection ignores objects that another request deletes meanwhile", async () => {
  using server = await filled();
  const deletion = server.send("DELETE", configMaps);
  await server.object("DELETE", `${configMaps}/a99`);
  expect([(await deletion).code, (await server.list(configMaps)).items]).toEqual([200, []]);
});
