import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { release } from "../api/types/facts.ts";
import { findBinaries, MissingBinariesError } from "./binaries.ts";
import { kubeCacheFolder, kubeRelease } from "./kube-release.ts";

const root = mkdtempSync(join(tmpdir(), "trimtab-binaries-"));
afterAll(() => rmSync(root, { recursive: true }));

function program(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  chmodSync(path, 0o755);
  return path;
}

const cached = { TRIMTAB_CACHE: join(root, "cache") };
const inCache = {
  etcd: program(join(kubeCacheFolder(cached), "etcd")),
  kubeApiserver: program(join(kubeCacheFolder(cached), "kube-apiserver")),
};
const inAssets = {
  etcd: program(join(root, "assets/etcd")),
  kubeApiserver: program(join(root, "assets/kube-apiserver")),
};
const assets = { KUBEBUILDER_ASSETS: join(root, "assets") };

test("programs are found in the cache of npm run kube when no environment variable is set", () => {
  expect(findBinaries(cached)).toEqual(inCache);
});

test("the folder KUBEBUILDER_ASSETS takes precedence over the cache", () => {
  expect(findBinaries({ ...cached, ...assets })).toEqual(inAssets);
});

test("a variable that names one program takes precedence over the folder, for that program only", () => {
  const mine = program(join(root, "mine"));
  expect(findBinaries({ ...assets, TEST_ASSET_ETCD: mine })).toEqual({ ...inAssets, etcd: mine });
  expect(findBinaries({ ...assets, TEST_ASSET_KUBE_APISERVER: mine })).toEqual({
    ...inAssets,
    kubeApiserver: mine,
  });
});

test("a variable that names a path without a program is an error, even if the cache has one", () => {
  expect(() => findBinaries({ ...cached, KUBEBUILDER_ASSETS: "/nowhere" })).toThrow(
    "expected an executable etcd, got none at /nowhere/etcd: " +
      "run `npm run kube` in a checkout of trimtab to build v1.36.3, or set KUBEBUILDER_ASSETS to a folder that has one",
  );
});

test("a file that is not executable is not a program, and the error lists every path that was tried", () => {
  const empty = { TRIMTAB_CACHE: join(root, "empty") };
  const plain = program(join(kubeCacheFolder(empty), "etcd"));
  chmodSync(plain, 0o644);
  const tried = [plain, "/usr/local/kubebuilder/bin/etcd"];
  expect(() => findBinaries(empty)).toThrow(new MissingBinariesError("etcd", tried));
});

test("the cache is in the user's cache folder unless the environment names another", () => {
  const folder = kubeCacheFolder({ TRIMTAB_CACHE: "/c" }).slice("/c/".length);
  expect(folder).toMatch(/^kube\/v1\.36\.3-(linux|darwin|windows)-(amd64|arm64)$/);
  expect(kubeCacheFolder({ XDG_CACHE_HOME: "/xdg" })).toBe(`/xdg/trimtab/${folder}`);
  expect(kubeCacheFolder({})).toBe(join(homedir(), ".cache/trimtab", folder));
});

test("the built-in kinds are generated from the release that the tests run", () => {
  expect(kubeRelease).toBe(release);
});
