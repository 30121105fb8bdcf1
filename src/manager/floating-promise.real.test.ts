import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { startCluster } from "../testing/index.ts";

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const main = fileURLToPath(new URL("./floating-main.fixture.ts", import.meta.url));

interface Ended {
  readonly code: unknown;
  readonly lines: readonly string[];
}

function run(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", loader, main, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, lines: `${stdout}${stderr}`.trimEnd().split("\n") }),
    );
  });
}

/** Returns the position of a text in the program. */
function placeOf(text: string): string {
  const lines = readFileSync(main, "utf8").split("\n");
  const line = lines.findIndex((each) => each.includes(text));
  return `src/manager/floating-main.fixture.ts:${line + 1}:${(lines[line] ?? "").indexOf(text) + 1}`;
}

const version = ["", `Node.js ${process.version}`];
const inFlight = "inFlight: [ { controller: 'configmap', key: 'default/a' } ]";

/** Returns the last lines of a program and its exit code. Checks that Node prints the error once. */
async function lastLines(floating: string, count: number, ...more: readonly string[]): Promise<unknown> {
  await using cluster = await startCluster({ listen: true });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const { code, lines } = await run(cluster.kubeconfig, floating, ...more);
  expect(lines.filter((line) => line.includes("reconcile: {"))).toHaveLength(1);
  return { code, last: lines.slice(-count - version.length) };
}

const phases = [
  ["while the program runs", []],
  ["after SIGTERM", ["stopping"]],
] as const;

test.each(phases)(
  "a request that a reconcile leaves floating ends the process; the last lines name controller, key and line: %s",
  async (_phase, stopping) => {
    for (const [floating, text] of [
      ["write", "client.update(Secret"],
      ["read", "client.list(Secret"],
    ] as const) {
      const at = placeOf(text).replace(/:(\d+)$/, (_, column) => `:${Number(column) + "client.".length}`);
      expect(await lastLines(floating, 6, ...stopping)).toEqual({
        code: 1,
        last: [
          "  reconcile: {",
          "    controller: 'configmap',",
          "    key: 'default/a',",
          `    at: '${at}'`,
          "  }",
          "}",
          ...version,
        ],
      });
    }
  },
  60_000,
);

test.each(phases)(
  "any other uncaught error names the reconciles in flight: %s",
  async (_phase, stopping) => {
    const at = placeOf('new Error("own")');
    expect(await lastLines("own", 5, ...stopping)).toEqual({
      code: 1,
      last: ["  reconcile: {", `    at: '${at}',`, `    ${inFlight}`, "  }", "}", ...version],
    });
  },
  60_000,
);

test("an uncaught error while no reconcile is in flight names the last one", async () => {
  const at = placeOf('new Error("own")');
  const last = "last: { controller: 'configmap', key: 'default/a' }";
  expect(await lastLines("late", 5)).toEqual({
    code: 1,
    last: ["  reconcile: {", `    at: '${at}',`, `    ${last}`, "  }", "}", ...version],
  });
}, 60_000);

test("the reconcile is named after the cause of an error", async () => {
  const at = placeOf('new Error("outer"');
  expect(await lastLines("cause", 5)).toEqual({
    code: 1,
    last: ["  reconcile: {", `    at: '${at}',`, `    ${inFlight}`, "  }", "}", ...version],
  });
}, 60_000);

test("an error that cannot be changed is named before Node prints it", async () => {
  await using cluster = await startCluster({ listen: true });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const { code, lines } = await run(cluster.kubeconfig, "frozen");
  expect([code, lines[0]]).toEqual([1, "uncaught error: {"]);
  expect(lines.slice(1, 5).map((line) => line.trim())).toEqual([
    "reconcile: {",
    `at: '${placeOf('new Error("frozen")')}',`,
    inFlight,
    "}",
  ]);
}, 60_000);
