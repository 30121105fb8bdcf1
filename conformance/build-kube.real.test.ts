import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { kubeCacheFolder, kubeRelease } from "../src/testing/index.ts";

const root = mkdtempSync(join(tmpdir(), "trimtab-build-kube-"));
afterAll(() => rmSync(root, { recursive: true }));

const all = ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"];

/** Returns an empty cache and a `go` that runs the scripts. Without scripts there is no `go`. */
function machine(go?: { readonly list: string; readonly build: string }) {
  const place = mkdtempSync(join(root, "machine-"));
  const bin = join(place, "bin");
  mkdirSync(bin);
  if (go) {
    writeFileSync(
      join(bin, "go"),
      `#!/bin/sh\necho "$1" >> ${place}/calls\ncase "$1" in list) ${go.list};; build) ${go.build};; esac\n`,
    );
    chmodSync(join(bin, "go"), 0o755);
  }
  const env = { TRIMTAB_CACHE: join(place, "cache"), PATH: go ? `${bin}:${process.env.PATH}` : bin };
  const folder = kubeCacheFolder(env);
  return {
    folder,
    built: () => readdirSync(folder).sort(),
    calls: () => readFileSync(join(place, "calls"), "utf8").trimEnd().split("\n"),
    run(...args: readonly string[]) {
      const script = fileURLToPath(new URL("./build-kube.ts", import.meta.url));
      const loader = createRequire(import.meta.url).resolve("tsx");
      const result = spawnSync(process.execPath, ["--import", loader, script, ...args], {
        env,
        encoding: "utf8",
      });
      return {
        status: result.status,
        stdout: result.stdout,
        last: result.stderr.trimEnd().split("\n").at(-1),
      };
    },
  };
}

/** A script that writes the file after `-o`. */
const build = 'while [ "$1" != -o ]; do shift; done; echo program > "$2"; chmod 755 "$2"';
const list = "printf 'unsafe\\nfmt\\n'";

test("every program is built once, and the folder is printed", () => {
  const { run, built, calls, folder } = machine({ list, build });
  expect(run("--path")).toEqual({ status: 1, stdout: "", last: "" });
  expect(run()).toMatchObject({ status: 0, stdout: `${folder}\n` });
  expect(built()).toEqual(all);
  const first = calls();
  expect(run()).toEqual({ status: 0, stdout: `${folder}\n`, last: "" });
  expect(run("--path")).toEqual({ status: 0, stdout: `${folder}\n`, last: "" });
  expect(calls()).toEqual(first);
});

test("without go the build is skipped", () => {
  const { status, stdout, last } = machine().run();
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(last).toBe("kube: skipped, go is not installed (spawnSync go ENOENT): see https://go.dev/dl");
});

test("a module that cannot be fetched skips the build", () => {
  const offline =
    "echo 'go: downloading x v1' >&2; echo 'x@v1: dial tcp: lookup proxy: no such host' >&2; exit 1";
  expect(machine({ list: offline, build }).run()).toEqual({
    status: 0,
    stdout: "",
    last: "kube: skipped, the modules of etcd could not be fetched: x@v1: dial tcp: lookup proxy: no such host",
  });
});

test("a module that does not match go.sum is an error", () => {
  const tampered = "echo 'verifying x@v1: checksum mismatch' >&2; exit 1";
  expect(machine({ list: tampered, build }).run()).toEqual({
    status: 1,
    stdout: "",
    last: "verifying x@v1: checksum mismatch",
  });
});

test("a compile error fails the build, and leaves no file", () => {
  const broken = `${build}; echo 'main.go:1:1: syntax error' >&2; exit 1`;
  const { run, built } = machine({ list, build: broken });
  expect(run()).toEqual({ status: 1, stdout: "", last: "main.go:1:1: syntax error" });
  expect(built()).toEqual([]);
});

test("the pinned modules are those of the supported release", () => {
  const pinned = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "kube/go.mod"), "utf8");
  expect(pinned).toContain(`k8s.io/kubernetes ${kubeRelease} `);
  const staging = [...pinned.matchAll(/=> k8s\.io\/\S+ (v\S+)/g)].map(([, version]) => version);
  expect(new Set(staging)).toEqual(new Set([kubeRelease.replace("v1.", "v0.")]));
});
