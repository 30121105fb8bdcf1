import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Runs the command without programs to find. Returns its exit code and the first line of its error. */
function conformance(...args: readonly string[]) {
  const loader = createRequire(import.meta.url).resolve("tsx");
  const script = fileURLToPath(new URL("./main.ts", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ["--import", loader, script, ...args], {
    env: { ...process.env, TEST_ASSET_ETCD: "/nowhere/etcd", KUBECONFIG: "/nowhere/config" },
    encoding: "utf8",
  });
  return { status, complaint: stderr.split("\n")[0] };
}

test("the engine must be named, and be a known one", () => {
  const expected = "conformance: expected --engine embedded or binaries or existing";
  expect(conformance()).toEqual({ status: 1, complaint: `${expected}, got none` });
  expect(conformance("--engine", "kind")).toEqual({ status: 1, complaint: `${expected}, got kind` });
});

test("missing programs are a failure, except with --skip-missing", () => {
  const failed = conformance("--engine", "binaries");
  const skipped = conformance("--engine", "binaries", "--skip-missing");
  expect([failed.status, skipped.status]).toEqual([1, 0]);
  expect(failed.complaint).toMatch(
    /^conformance: expected an executable etcd, got none at \/nowhere\/etcd: run `npm run kube`/,
  );
  expect(skipped.complaint).toMatch(
    /^conformance: skipped, expected an executable etcd, got none at \/nowhere\/etcd/,
  );
});

test("an unreachable cluster is a failure, also with --skip-missing", () => {
  const { status, complaint } = conformance("--engine", "existing", "--skip-missing");
  expect({ status, complaint }).toEqual({ status: 1, complaint: expect.stringContaining("/nowhere/config") });
});
