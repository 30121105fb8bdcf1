import { expect, test } from "vitest";
import { seededRng } from "../../base/index.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { ServicePools } from "./service-pools.ts";

const prefix = "/registry/services/specs/";

function service(clusterIP: string, ...nodePorts: number[]): string {
  const ports = nodePorts.map((nodePort) => ({ port: 80, nodePort }));
  return JSON.stringify({ spec: { clusterIP, clusterIPs: [clusterIP], ports } });
}

test("addresses and ports are allocated from their ranges", () => {
  using pools = new ServicePools(new MemoryStorage(), prefix, seededRng(1));
  const { take } = pools.allocator();
  expect(take("clusterIP")).toMatch(/^10\.0\.0\.\d+$/);
  const port = Number(take("nodePort"));
  expect(port >= 30_000 && port < 32_768).toBe(true);
});

test("the values of a stored Service are in use until the Service changes", () => {
  const storage = new MemoryStorage();
  const { revision } = storage.put(`${prefix}default/a`, { expected: 0, json: service("10.0.0.7", 30_007) });
  using pools = new ServicePools(storage, prefix, seededRng(1));
  const take = () => [
    pools.allocator().take("clusterIP", "10.0.0.7"),
    pools.allocator().take("nodePort", "30007"),
  ];
  expect(take()).toEqual([undefined, undefined]);
  storage.put(`${prefix}default/a`, { expected: revision, json: service("10.0.0.8", 30_007) });
  expect(take()).toEqual(["10.0.0.7", undefined]);
});

test("an allocator returns each value once, and its values stay free if nothing is stored", () => {
  using pools = new ServicePools(new MemoryStorage(), prefix, seededRng(1));
  const { take } = pools.allocator();
  expect([take("nodePort", "30001"), take("nodePort", "30001")]).toEqual(["30001", undefined]);
  expect(pools.allocator().take("nodePort", "30001")).toBe("30001");
});

test("take returns undefined once all ports are in use", () => {
  using pools = new ServicePools(new MemoryStorage(), prefix, seededRng(1));
  const { take } = pools.allocator();
  const taken = new Set(Array.from({ length: 2_768 }, () => take("nodePort")));
  expect([taken.size, taken.has(undefined), take("nodePort")]).toEqual([2_768, false, undefined]);
});

test("a dry run allocates nothing, and returns an address that is never allocated", () => {
  using pools = new ServicePools(new MemoryStorage(), prefix, seededRng(1));
  const { take } = pools.allocator(true);
  expect([take("clusterIP"), take("nodePort"), take("nodePort")]).toEqual(["10.0.0.0", "32769", "32770"]);
  expect([take("clusterIP", "10.0.0.7"), take("nodePort", "32770")]).toEqual(["10.0.0.7", undefined]);
});
