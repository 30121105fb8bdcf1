import { expect, test } from "vitest";
import { settled, VirtualClock } from "../base/index.ts";
import { gate, httpServer, reply, transportTo } from "./local-server.fixture.ts";
import { retrying } from "./retrying.ts";
import type { ApiRequest } from "./transport.ts";

const ways = ["send", "open"] as const;
const refusal = new Error("not now");
const refuse = (): never => {
  throw refusal;
};
const patch = (more: Partial<ApiRequest>): ApiRequest => ({
  method: "PATCH",
  path: "/a",
  body: "{}",
  ...more,
});

test.each(ways)(
  "%s: a request that is not permitted fails with the reason, and nothing arrives",
  async (way) => {
    const arrived: unknown[] = [];
    const server = await httpServer((request, response) => {
      arrived.push(request.url);
      reply(response);
    });
    const transport = transportTo(server);
    await expect(transport[way](patch({ beforeSend: refuse }))).rejects.toBe(refusal);
    await transport.send(patch({ path: "/b" }));
    expect(arrived).toEqual(["/b"]);
  },
);

test("a request that waits for a connection is asked for its permit when it leaves, not when it came", async () => {
  const held = gate();
  const arrived: unknown[] = [];
  const server = await httpServer(async (request, response) => {
    arrived.push(request.url);
    if (request.url === "/first") await held.passed;
    reply(response);
  });
  const transport = transportTo(server, { connections: 1 });
  let permitted = true;
  const first = transport.send(patch({ path: "/first" }));
  const second = transport.send(patch({ beforeSend: () => permitted || refuse() }));
  second.catch(() => {}); // looked at below
  await settled();
  permitted = false;
  held.pass();
  await first;
  await expect(second).rejects.toBe(refusal);
  expect(arrived).toEqual(["/first"]);
});

test("a permit is asked for at every try", async () => {
  const clock = new VirtualClock();
  let arrived = 0;
  const server = await httpServer((_, response) => {
    arrived += 1;
    response.writeHead(429, { "retry-after": "3" }).end();
  });
  const transport = retrying(transportTo(server), { clock });
  const beforeSend = (): void => {
    if (clock.monotonic() >= 5000) throw refusal;
  };
  const sent = expect(transport.send(patch({ beforeSend }))).rejects.toBe(refusal);
  while (clock.monotonic() < 6000) {
    await settled();
    await clock.advanceToNext();
  }
  await sent;
  expect(arrived).toBe(2);
});
