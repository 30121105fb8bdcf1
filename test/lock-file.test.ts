import { expect, test } from "vitest";
import { read } from "./repository.ts";

test("the lock file records versions and sums, and no addresses", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockEntry> };
  const entries = Object.entries(packages).filter(([path]) => path.includes("node_modules/"));
  expect(entries.length).toBeGreaterThan(10);
  const withAddress = entries.filter(([, { resolved }]) => /^\w+:\/\//.test(resolved ?? ""));
  expect(withAddress.map(([path]) => path)).toEqual([]);
  const withoutSum = entries.filter(([, { link, inBundle, integrity }]) => !link && !inBundle && !integrity);
  expect(withoutSum.map(([path]) => path)).toEqual([]);
});

test("npm is told to leave addresses out of the lock file", () => {
  expect(read(".npmrc").split("\n")).toContain("omit-lockfile-registry-resolved=true");
});

interface LockEntry {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
}
