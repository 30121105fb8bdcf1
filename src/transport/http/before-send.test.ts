import { expect, test } from "vitest";
import { settled, VirtualClock } from "../../base/index.ts";
import { gate, httpServer, reply, transportTo } from "../local-server.fixture.ts";
import { retrying } from "../retrying.ts";
import type { ApiRequest } from "../transport.ts";

const methods = ["send", "open"] as const;
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

test.each(methods)(
  "%s: if beforeSend throws, the request fails with that error and nothing is sent",
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

test("beforeSend is called when a request gets its connection, not when it is made", async () => {
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
  second.catch(() => {}); // awaited below
  await settled();
  permitted = false;
  held.pass();
  await first;
  await expect(second).rejects.toBe(refusal);
  expect(arrived).toEqual(["/first"]);
});

test("beforeSend is called for every attempt", async () => {
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
