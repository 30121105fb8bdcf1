/**
 * This test runs one program of client-go and controller-runtime on the embedded API server and on kube-apiserver. It is
 * skipped without Go or the server's programs.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { MissingBinariesError, startCluster } from "../src/testing/index.ts";
import { CannotBuildHere } from "./go.ts";
import { builtProgram, goProgram } from "./go-programs.ts";

/** Returns what the program prints, by line. */
async function transcript(program: string, engine: "binaries" | "embedded"): Promise<string[]> {
  const options = engine === "embedded" ? { engine, listen: true } : { engine };
  await using cluster = await startCluster(options);
  const { stdout } = await promisify(execFile)(program, ["story", cluster.kubeconfig], {
    maxBuffer: 2 ** 28,
    timeout: 300_000,
  });
  return stdout.split("\n");
}

test("client-go and controller-runtime at their defaults see the same on both servers", {
  timeout: 1_200_000,
}, async ({ skip }) => {
  try {
    const program = await builtProgram(goProgram("go-clients"));
    const real = await transcript(program, "binaries");
    expect(await transcript(program, "embedded")).toEqual(real);
    expect(real.filter((line) => line.startsWith("== "))).toHaveLength(16);
  } catch (error) {
    if (error instanceof CannotBuildHere || error instanceof MissingBinariesError) skip(error.message);
    throw error;
  }
});
