/** These tests start real etcd and kube-apiserver. They are skipped until `npm run kube` has built the programs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { get } from "node:https";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";

const found = ((): Binaries | undefined => {
  try {
    return findBinaries();
  } catch {
    return undefined;
  }
})();

describe.skipIf(!found)("etcd and kube-apiserver", () => {
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

  test("the administrator has all permissions, and the server's certificate is trusted for 127.0.0.1", async () => {
    const { status, body } = await request(plane.kubeconfig, "/api/v1/namespaces/default");
    expect({ status, name: body.metadata.name }).toEqual({ status: 200, name: "default" });
  });

  test("a user is authenticated with name and groups, and is forbidden what no rule allows", async () => {
    const { status, body } = await request(plane.kubeconfigOf("alice"), "/api/v1/namespaces/default");
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message:
        'namespaces "default" is forbidden: User "alice" cannot get resource "namespaces" in API group "" in the namespace "default"',
    });
    const odd = await request(plane.kubeconfigOf('a "b", c'), "/api/v1/nodes");
    expect(odd.body.message).toContain('User "a \\"b\\", c" cannot list');
  });

  test("kubeconfigOf throws for a user that was not requested", () => {
    expect(() => plane.kubeconfigOf("bob")).toThrow(
      'expected one of the users admin, alice, a "b", c, got "bob": name it in `users` at the start',
    );
  });

  test("flags override the defaults", async () => {
    const clusterIP = async (): Promise<unknown> => {
      const { body } = await request(plane.kubeconfig, "/api/v1/namespaces/default/services/kubernetes");
      return body.spec?.clusterIP; // the server creates that Service shortly after it is ready
    };
    await expect.poll(clusterIP, { timeout: 30_000 }).toBe("10.77.0.1");
  }, 60_000);

  test("two control planes run side by side, and a closed one leaves neither processes nor files", async () => {
    const second = await startControlPlane({ binaries });
    const pids = [...second.pids.values()];
    expect(pids.map(running)).toEqual([true, true]);

    await second.close();
    await second.close();

    expect(pids.map(running)).toEqual([false, false]);
    expect(existsSync(dirname(second.kubeconfig))).toBe(false);
    expect((await request(plane.kubeconfig, "/readyz/ping")).status).toBe(200);
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
});

/** Sends a GET with the credentials of a kubeconfig, using only Node. */
async function request(kubeconfig: string, path: string) {
  const config = parse(readFileSync(kubeconfig, "utf8"));
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64");
  const sent = get(cluster.server + path, {
    ca,
    headers: { authorization: `Bearer ${user.token}` },
    agent: false,
  });
  const [response] = await once(sent, "response");
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
