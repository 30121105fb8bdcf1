import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { VirtualClock } from "../base/index.ts";
import type { Binaries } from "./binaries.ts";
import { startControlPlane } from "./control-plane.ts";

const scripts = mkdtempSync(join(tmpdir(), "trimtab-scripts-"));
afterAll(() => rmSync(scripts, { recursive: true }));

/** Returns programs that run `script` instead of a server, for tests that need no server. */
function standIns(script: string): Binaries {
  const path = (name: string, body: string): string => {
    const file = join(mkdtempSync(join(scripts, "bin-")), name);
    writeFileSync(file, `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  return { etcd: path("etcd", "exec sleep 1000"), kubeApiserver: path("kube-apiserver", script) };
}

test("a server that exits at the start is an error with the end of its log", async () => {
  const binaries = standIns('echo "error: unknown flag: --colour" >&2; exit 1');
  await expect(startControlPlane({ binaries })).rejects.toThrow(
    /^expected kube-apiserver to run until it is closed, got exit code 1 \(last seen: .*\)\nthe end of kube-apiserver's log:\nerror: unknown flag: --colour$/,
  );
});

test("a server that is not ready in time is an error with the last observed state", async () => {
  const clock = new VirtualClock();
  const mark = join(scripts, "started");
  const binaries = standIns(`echo waiting; touch ${mark}; exec sleep 1000`);
  const failure = expect(startControlPlane({ binaries, startupMs: 1_500, clock })).rejects.toThrow(
    /^expected an end of the start of kube-apiserver within 1500 ms, got none \(last seen: ENOENT.*apiserver\.crt'\)\nthe end of kube-apiserver's log:\nwaiting$/,
  );
  await expect.poll(() => existsSync(mark), { timeout: 10_000 }).toBe(true);
  await clock.advance(1_500);
  await failure;
});

test("taken ports are retried five times, and then the error contains the server's log", async () => {
  const count = join(scripts, "count");
  const binaries = standIns(`echo try >> ${count}; echo "listen tcp: bind: address already in use"; exit 1`);
  await expect(startControlPlane({ binaries })).rejects.toThrow("bind: address already in use");
  expect(readFileSync(count, "utf8")).toBe("try\n".repeat(5));
});

test("an aborted start rejects with the reason of the abort", async () => {
  const stop = new AbortController();
  const starting = startControlPlane({ binaries: standIns("exec sleep 1000"), signal: stop.signal });
  stop.abort(new Error("no longer wanted"));
  await expect(starting).rejects.toThrow(new Error("no longer wanted"));
});

test("two users with the same name are refused", async () => {
  const users = [{ name: "alice" }, { name: "alice" }];
  await expect(startControlPlane({ binaries: standIns(""), users })).rejects.toThrow(
    'expected users with different names, and none named "admin", got "alice" twice',
  );
});

test("a start that fails leaves no folder", async () => {
  const binaries = standIns("exit 1");
  const empty = mkdtempSync(join(scripts, "tmp-"));
  vi.stubEnv("TMPDIR", empty);
  await expect(startControlPlane({ binaries })).rejects.toThrow("exit code 1");
  vi.unstubAllEnvs();
  expect(readdirSync(empty).filter((name) => name.startsWith("trimtab-"))).toEqual([]);
});
