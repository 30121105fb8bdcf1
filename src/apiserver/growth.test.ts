import { afterAll, beforeAll, expect, test } from "vitest";
import { growthOf, maxGrowth } from "./growth.fixture.ts";
import { defineThings, hostileRequests, sendHostile } from "./hostile-requests.fixture.ts";
import { testServer } from "./requests.fixture.ts";

const server = testServer();
afterAll(() => server[Symbol.dispose]());

/** Cases that need larger or smaller inputs than the rest. */
const sizes: Readonly<Record<string, number>> = {
  "YAML documents": 10_000,
  "containers, volumes and mounts": 800,
  "a table row of a long object": 600, // eight times as many containers still fit into 1.5 MiB
  "custom values that are not of an enum": 200, // each error names the 4,000 allowed values
};

beforeAll(async () => {
  await defineThings(server);
  await server.clock.advance(10_000);
});

test.each(Object.entries(hostileRequests(server)))(
  "%s: the request takes time in proportion to its size",
  async (title, request) => {
    const task = async (size: number) => {
      const prepared = await request(size);
      return () => sendHostile(server, prepared);
    };
    expect(await growthOf(task, sizes[title] ?? 1_200)).toBeLessThanOrEqual(maxGrowth);
  },
);
