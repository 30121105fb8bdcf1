import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { get, httpServer, reply, transportTo } from "../local-server.fixture.ts";
import { retrying } from "../retrying.ts";
import { withLane } from "../with-headers.ts";

test("requests of a lane have two connections of their own", async () => {
  const held: ServerResponse[] = [];
  const server = await httpServer(({ url }, response) =>
    url === "/slow" ? held.push(response) : reply(response, { url }),
  );
  const transport = transportTo(server, { connections: 1 });
  const slow = Promise.allSettled([1, 2].map(() => transport.send(get("/slow"))));
  await server.until(1);
  const lane = withLane(transport, "lease");
  for (let times = 0; times < 10; times++) expect((await lane.send(get("/lease"))).status).toBe(200);
  expect(server.accepted).toBeLessThanOrEqual(3);
  await transport.close();
  expect((await slow).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await server.until(0);
});

test("requests of a lane are exempt from the rate limit", async () => {
  const server = await httpServer((_, response) => reply(response));
  const taken: string[] = [];
  const limiter = { take: async ({ path }: { readonly path: string }) => void taken.push(path) };
  const transport = retrying(transportTo(server), { limiter });
  await transport.send(get("/other"));
  await withLane(transport, "lease").send(get("/lease"));
  expect(taken).toEqual(["/other"]);
});
