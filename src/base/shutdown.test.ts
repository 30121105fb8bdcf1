import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const main = fileURLToPath(new URL("./shutdown-main.fixture.ts", import.meta.url));

function run(rejection: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", loader, main, rejection], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test.each(["reason", "caused"])(
  "a wait that ends because of Ctrl-C ends the program quietly, and after its other work: %s",
  async (rejection) => {
    expect(await run(rejection)).toEqual({ code: 0, stdout: "drained\n", stderr: "" });
  },
  60_000,
);

test("any other uncaught error during a shutdown ends the program, as it does without one", async () => {
  const { code, stdout, stderr } = await run("other");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/Error: something else\n\s+at .*shutdown-main.fixture/);
}, 60_000);
