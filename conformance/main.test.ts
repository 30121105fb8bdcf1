import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Runs the command with programs that cannot be found. Gives its exit code and the first line of its complaint. */
function conformance(...args: readonly string[]) {
  const loader = createRequire(import.meta.url).resolve("tsx");
  const script = fileURLToPath(new URL("./main.ts", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ["--import", loader, script, ...args], {
    env: { ...process.env, TEST_ASSET_ETCD: "/nowhere/etcd", KUBECONFIG: "/nowhere/config" },
    encoding: "utf8",
  });
  return { status, complaint: stderr.split("\n")[0] };
}

test("an engine has to be named, and to be one there is", () => {
  const expected = "conformance: expected --engine embedded or binaries or existing";
  expect(conformance()).toEqual({ status: 1, complaint: `${expected}, got none` });
  expect(conformance("--engine", "kind")).toEqual({ status: 1, complaint: `${expected}, got kind` });
});

test("missing programs are a failure, and with --skip-missing they are not", () => {
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

test("a cluster that is not there is a failure, also with --skip-missing", () => {
  const { status, complaint } = conformance("--engine", "existing", "--skip-missing");
  expect({ status, complaint }).toEqual({ status: 1, complaint: expect.stringContaining("/nowhere/config") });
});
