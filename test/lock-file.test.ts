import { expect, test } from "vitest";
import { allows } from "./node-range.ts";
import { packageManifest, read } from "./repository.ts";

const lockFiles = ["package-lock.json", "bench/peers-node/package-lock.json"];

test.each(lockFiles)("%s has versions and checksums, and no URLs", (path) => {
  const entries = Object.entries(packagesOf(path)).filter(([name]) => name.includes("node_modules/"));
  expect(entries.length).toBeGreaterThan(10);
  const withAddress = entries.filter(([, { resolved }]) => /^\w+:\/\//.test(resolved ?? ""));
  expect(withAddress.map(([name]) => name)).toEqual([]);
  const withoutSum = entries.filter(([, { link, inBundle, integrity }]) => !link && !inBundle && !integrity);
  expect(withoutSum.map(([name]) => name)).toEqual([]);
});

test.each([".npmrc", "bench/peers-node/.npmrc"])("%s makes npm omit URLs from the lock file", (path) => {
  expect(read(path).split("\n")).toContain("omit-lockfile-registry-resolved=true");
});

test("the lock file has the optional packages of every Linux, so that npm install adds none", () => {
  const packages = packagesOf("package-lock.json");
  const wanted = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => /linux-(x64|arm64)/.test(name));
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([]);
});

/** npm 10, which comes with Node 20 and 22, removes the field; npm 11 leaves a lock file without it unchanged. */
test.each(lockFiles)("%s has no libc field, so that npm 10 and npm 11 write the same file", (path) => {
  const named = Object.entries(packagesOf(path)).filter(([, entry]) => "libc" in entry);
  expect(named.map(([name]) => `${name}: run npx npm@10 install`)).toEqual([]);
});

test("every package runs on the oldest Node that we support, so that npm install prints no engine warning", () => {
  const oldest = packageManifest().engines.node.replace(">=", "");
  const refused = Object.entries(packagesOf("package-lock.json"))
    .filter(([, { engines }]) => engines?.node !== undefined && !allows(engines.node, oldest))
    .map(([name, { engines }]) => `${name} needs ${engines?.node}`);
  expect([oldest, refused]).toEqual(["20.19", []]);
});

test("every package with an install script is listed under allowScripts, so that npm install does not ask", () => {
  const { allowScripts } = packageManifest();
  const scripted = Object.entries(packagesOf("package-lock.json"))
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([name]) => name.replace(/^.*node_modules\//, ""));
  expect(scripted.filter((name) => !(name in allowScripts))).toEqual([]);
});

test("npm install does not fetch the packages that only the benchmarks compare with", () => {
  const names = Object.keys(packagesOf("package-lock.json"));
  expect(names.filter((name) => name.includes("client-node"))).toEqual([]);
});

function packagesOf(path: string): Readonly<Record<string, LockEntry>> {
  return (JSON.parse(read(path)) as { packages: Record<string, LockEntry> }).packages;
}

interface LockEntry {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
