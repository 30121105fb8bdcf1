import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { get } from "node:https";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { VirtualClock } from "../base/index.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";

const scripts = mkdtempSync(join(tmpdir(), "trimtab-scripts-"));
afterAll(() => rmSync(scripts, { recursive: true }));

/** Programs that only do what `script` says, for everything that does not need a server. */
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

test("a server that is not ready in time is an error that says what was seen last", async () => {
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

test("ports that are taken are tried five times, and then the error shows who said so", async () => {
  const count = join(scripts, "count");
  const binaries = standIns(`echo try >> ${count}; echo "listen tcp: bind: address already in use"; exit 1`);
  await expect(startControlPlane({ binaries })).rejects.toThrow("bind: address already in use");
  expect(readFileSync(count, "utf8")).toBe("try\n".repeat(5));
});

test("a start that is called off ends with the reason given", async () => {
  const stop = new AbortController();
  const starting = startControlPlane({ binaries: standIns("exec sleep 1000"), signal: stop.signal });
  stop.abort(new Error("no longer wanted"));
  await expect(starting).rejects.toThrow(new Error("no longer wanted"));
});

test("two users of one name are refused", async () => {
  const users = [{ name: "alice" }, { name: "alice" }];
  await expect(startControlPlane({ binaries: standIns(""), users })).rejects.toThrow(
    'expected users of different names, and none named "admin", got "alice" twice',
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

const found = ((): Binaries | undefined => {
  try {
    return findBinaries();
  } catch {
    return undefined;
  }
})();

describe.skipIf(!found)(
  "on etcd and kube-apiserver (skipped where `npm run kube` has not built them)",
  () => {
    const binaries = found ?? { etcd: "", kubeApiserver: "" };
    let plane: ControlPlane;
    beforeAll(async () => {
      plane = await startControlPlane({
        binaries,
        users: [{ name: "alice", groups: ["readers", "writers"] }, { name: 'a "b", c' }],
        flags: { "service-cluster-ip-range": "10.77.0.0/24" },
      });
    }, 90_000);
    afterAll(() => plane?.close(), 30_000);

    test("the administrator may do everything, and the server's certificate is trusted for 127.0.0.1", async () => {
      const { status, body } = await ask(plane.kubeconfig, "/api/v1/namespaces/default");
      expect({ status, name: body.metadata.name }).toEqual({ status: 200, name: "default" });
    });

    test("a user is known by name and groups, and may do nothing that no rule allows", async () => {
      const { status, body } = await ask(plane.kubeconfigOf("alice"), "/api/v1/namespaces/default");
      expect({ status, message: body.message }).toEqual({
        status: 403,
        message:
          'namespaces "default" is forbidden: User "alice" cannot get resource "namespaces" in API group "" in the namespace "default"',
      });
      const odd = await ask(plane.kubeconfigOf('a "b", c'), "/api/v1/nodes");
      expect(odd.body.message).toContain('User "a \\"b\\", c" cannot list');
    });

    test("a user who was not asked for has no kubeconfig", () => {
      expect(() => plane.kubeconfigOf("bob")).toThrow(
        'expected one of the users admin, alice, a "b", c, got "bob": name it in `users` at the start',
      );
    });

    test("flags go over the defaults", async () => {
      const clusterIP = async (): Promise<unknown> => {
        const { body } = await ask(plane.kubeconfig, "/api/v1/namespaces/default/services/kubernetes");
        return body.spec?.clusterIP; // it makes that Service a moment after it is ready
      };
      await expect.poll(clusterIP, { timeout: 30_000 }).toBe("10.77.0.1");
    }, 60_000);

    test("two control planes run beside each other, and a closed one leaves neither processes nor files", async () => {
      const second = await startControlPlane({ binaries });
      const pids = [...second.pids.values()];
      expect(pids.map(running)).toEqual([true, true]);

      await second.close();
      await second.close();

      expect(pids.map(running)).toEqual([false, false]);
      expect(existsSync(dirname(second.kubeconfig))).toBe(false);
      expect((await ask(plane.kubeconfig, "/readyz/ping")).status).toBe(200);
    }, 90_000);

    test("killing the test process with SIGKILL leaves neither etcd nor kube-apiserver, nor their files", async () => {
      const script = `
      import { startControlPlane } from ${JSON.stringify(new URL("./control-plane.ts", import.meta.url).href)};
      const { pids, kubeconfig } = await startControlPlane({ binaries: ${JSON.stringify(binaries)} });
      console.log(JSON.stringify({ pids: [...pids.values()], kubeconfig }));
      setInterval(() => {}, 1_000);
    `;
      const loader = createRequire(import.meta.url).resolve("tsx");
      const args = ["--import", loader, "--input-type=module", "-e", script];
      const starter = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      const [line] = await once(starter.stdout, "data");
      const { pids, kubeconfig } = JSON.parse(String(line)) as { pids: number[]; kubeconfig: string };
      expect(pids.map(running)).toEqual([true, true]);

      starter.kill("SIGKILL");

      await expect.poll(() => pids.map(running), { timeout: 20_000 }).toEqual([false, false]);
      await expect.poll(() => existsSync(dirname(kubeconfig)), { timeout: 20_000 }).toBe(false);
    }, 90_000);
  },
);

/** What the API server says to whoever a kubeconfig names, through Node alone. */
async function ask(kubeconfig: string, path: string) {
  const config = parse(readFileSync(kubeconfig, "utf8"));
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64");
  const request = get(cluster.server + path, {
    ca,
    headers: { authorization: `Bearer ${user.token}` },
    agent: false,
  });
  const [response] = await once(request, "response");
  const body = await text(response);
  return { status: response.statusCode, body: body.startsWith("{") ? JSON.parse(body) : body };
}

function running(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
