import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { startCluster } from "../testing/index.ts";

/** The built command. `npm test` builds it first. */
const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trimtab-cli-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: "utf8",
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

interface Served extends AsyncDisposable {
  /** Complete standard output. */
  readonly output: string;
  readonly url: string;
  readonly kubeconfig: string;
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

async function serving(...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [command, "serve", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let output = "";
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes("Ctrl-C")) break;
  }
  const [, url = ""] = /(https:\S+?)\. /.exec(output) ?? [];
  const [, kubeconfig = ""] = /export KUBECONFIG=(.*)/.exec(output) ?? [];
  const stop = async (signal: NodeJS.Signals = "SIGINT"): Promise<number | null> => {
    child.kill(signal);
    const [status] = await ended;
    return status;
  };
  return { output, url, kubeconfig, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

test("serve runs an API server until Ctrl-C and removes its temporary kubeconfig", async () => {
  await using server = await serving();
  const { client } = await startCluster({ engine: "existing", kubeconfig: server.kubeconfig });
  const made = await client.create(ConfigMap, { metadata: { name: "menu" }, data: { soup: "leek" } });
  expect(await client.get(ConfigMap, "default/menu")).toEqual(made);
  await client.close();
  expect(statSync(server.kubeconfig).mode & 0o777).toBe(0o600);

  expect(await server.stop()).toBe(0);
  expect([existsSync(server.kubeconfig), existsSync(join(server.kubeconfig, ".."))]).toEqual([false, false]);
});

test("serve removes its temporary kubeconfig when the terminal is closed", async () => {
  await using server = await serving();
  expect(existsSync(server.kubeconfig)).toBe(true);
  expect(await server.stop("SIGHUP")).toBe(0);
  expect(existsSync(join(server.kubeconfig, ".."))).toBe(false);
});

test("serve prints the export and kubectl commands to try", async () => {
  await using server = await serving();
  expect(server.output.split("\n").filter((line) => line.startsWith("  "))).toEqual([
    `  export KUBECONFIG=${server.kubeconfig}`,
    "  kubectl get namespaces",
    "  kubectl create deployment web --image nginx --replicas 2",
    "  kubectl create configmap menu --from-literal soup=leek",
    "  kubectl get configmaps --watch",
  ]);
  expect(await server.stop("SIGTERM")).toBe(0);
});

test("serve writes the given kubeconfig file, keeps it, and overwrites it the next time", async () => {
  const kubeconfig = join(folder, "config");
  const first = await serving("--kubeconfig", kubeconfig);
  await first.stop();
  await using second = await serving("--kubeconfig", kubeconfig);
  expect(second.kubeconfig).toBe(kubeconfig);
  expect(JSON.parse(readFileSync(kubeconfig, "utf8")).clusters[0].cluster.server).toBe(second.url);
});

test("serve does not overwrite a kubeconfig of another program", () => {
  const kubeconfig = join(folder, "config");
  writeFileSync(kubeconfig, "clusters: [{ name: production }]\n");
  expect(run("serve", "--kubeconfig", kubeconfig)).toEqual({
    status: 1,
    stdout: "",
    stderr: `trimtab: expected ${kubeconfig} to be absent or written by trimtab, got other contents: choose another --kubeconfig\n`,
  });
  expect(readFileSync(kubeconfig, "utf8")).toBe("clusters: [{ name: production }]\n");
});

test("a port in use is reported on one line", async () => {
  await using server = await serving();
  const { port } = new URL(server.url);
  expect(run("serve", "--port", port)).toEqual({
    status: 1,
    stdout: "",
    stderr: `trimtab: expected port ${port} of 127.0.0.1 to be free, got EADDRINUSE: another program listens there; choose another --port\n`,
  });
});

test("a path that cannot be written is reported on one line", () => {
  writeFileSync(join(folder, "file"), "");
  for (const [place, why] of [
    ["absent/config", "ENOENT"],
    ["file/config", "ENOTDIR"],
    [".", "EISDIR"],
  ]) {
    const { status, stderr } = run("serve", "--kubeconfig", join(folder, place ?? ""));
    expect([status, stderr.trim().split("\n").length, stderr]).toEqual([
      1,
      1,
      expect.stringContaining(
        `trimtab: expected to write a kubeconfig to ${join(folder, place ?? "")}, got ${why}`,
      ),
    ]);
  }
});

test("an address of another machine is reported on one line", () => {
  const { status, stderr } = run("serve", "--host", "192.0.2.1");
  expect([status, stderr]).toEqual([
    1,
    "trimtab: expected an address of this machine as --host, got 192.0.2.1 (EADDRNOTAVAIL)\n",
  ]);
});

test.each([
  [
    ["serve", "--port", "http"],
    "error: option '-p, --port <number>' argument 'http' is invalid. expected a number from 0 to 65535\n",
  ],
  [
    ["serve", "--port", "65536"],
    "error: option '-p, --port <number>' argument '65536' is invalid. expected a number from 0 to 65535\n",
  ],
  [["serve", "--prot", "1"], "error: unknown option '--prot'\n(Did you mean --port?)\n"],
  [["bake"], "error: unknown command 'bake'\n"],
])("invalid arguments are a usage error: %j", (args, complaint) => {
  expect(run(...args)).toEqual({ status: 2, stdout: "", stderr: complaint });
});

test("help and version are printed", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(run("--version")).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
  expect(run("--help")).toEqual({
    status: 0,
    stdout: expect.stringContaining("serve [options]"),
    stderr: "",
  });
  expect(run("serve", "--help")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("--kubeconfig <file>"),
  });
  expect(run()).toEqual({ status: 2, stdout: "", stderr: expect.stringContaining("serve [options]") });
});
