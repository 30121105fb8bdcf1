/**
 * These tests run commands through a real kube-apiserver, with containers of the test behind a fake kubelet. They are
 * skipped until `npm run kube` has built the programs.
 */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, ConnectionError, connect, isForbidden } from "../client/index.ts";
import { findBinaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { type ContainerStreams, type Kubelet, startKubelet } from "./kubelet.fixture.ts";
import { startCluster } from "./start-cluster.ts";

function binariesFound(): boolean {
  try {
    return findBinaries().etcd !== "";
  } catch {
    return false;
  }
}

/** Runs the command in `programs`, or `cat` in a container that is attached to. */
function run(streams: ContainerStreams): void {
  const [name = "cat", argument] = streams.received.command;
  programs[name]?.(streams, argument);
}

const programs: Readonly<Record<string, (streams: ContainerStreams, argument?: string) => void>> = {
  cat(streams) {
    streams.onMessage((channel, payload) => {
      if (channel === 0) streams.send(1, payload);
      if (channel === 255) streams.send(2, "end of input\n");
      if (channel === 255) streams.exit(0);
    });
  },
  exit: (streams, code) => streams.exit(Number(code)),
  size: (streams) =>
    streams.onMessage((channel, payload) => {
      if (channel !== 4) return;
      streams.send(1, payload);
      streams.exit(0);
    }),
  flood(streams, count) {
    for (let at = 0; at < Number(count); at++) streams.send(1, Buffer.alloc(32 * 1024, at % 256));
    streams.exit(0);
  },
  missing: (streams) =>
    streams.finish({
      status: "Failure",
      reason: "InternalError",
      message: 'exec: "missing" not found',
      code: 500,
    }),
  cut(streams) {
    streams.send(1, "half");
    setImmediate(() => streams.cut());
  },
  wait: (streams) => streams.send(1, "waiting"),
};

describe.skipIf(!binariesFound())("through kube-apiserver", () => {
  let cluster: Cluster;
  let kubelet: Kubelet;
  let client: Client;
  const web = { container: "web" };
  beforeAll(async () => {
    kubelet = await startKubelet(run);
    cluster = await startCluster({ engine: "binaries", users: [{ name: "alice" }] });
    ({ client } = cluster);
    await kubelet.host(client, "app");
  }, 90_000);
  afterAll(async () => {
    await cluster?.close();
    await kubelet?.[Symbol.asyncDispose]();
  }, 30_000);

  test("input goes to the command and its output comes back, after the end of the input too", async () => {
    const session = await client.exec("default/app", ["cat"], { ...web, stdin: true });
    session.stdin.write("one\n");
    session.stdin.end("two\n");
    expect(await session.output()).toEqual({ code: 0, stdout: "one\ntwo\n", stderr: "end of input\n" });
    expect(kubelet.received.at(-1)).toEqual({
      path: "/exec/default/app/web",
      command: ["cat"],
      streams: "error=1&input=1&output=1",
    });
  });

  test("the exit code of a failed command is a value", async () => {
    const session = await client.exec("default/app", ["exit", "42"], web);
    expect(await session.exited).toEqual({ code: 42 });
  });

  test("a command that cannot run is an ApiError", async () => {
    const session = await client.exec("default/app", ["missing"], web);
    await expect(session.exited).rejects.toMatchObject({
      name: "ApiError",
      code: 500,
      reason: "InternalError",
      message:
        'expected /api/v1/namespaces/default/pods/app/exec to run, got 500 InternalError: exec: "missing" not found',
    });
  });

  test("the size of the terminal reaches the command", async () => {
    const session = await client.exec("default/app", ["size"], { ...web, tty: true });
    session.resize({ columns: 120, rows: 40 });
    expect(await session.output()).toEqual({ code: 0, stdout: '{"Width":120,"Height":40}', stderr: "" });
    expect(kubelet.received.at(-1)?.streams).toBe("output=1&tty=1");
  });

  test("output of 32 MiB arrives complete while the reader is slow", async () => {
    const session = await client.exec("default/app", ["flood", "1024"], { ...web, stderr: false });
    let bytes = 0;
    for await (const chunk of session.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes % (4 * 1024 * 1024) === 0) await new Promise(setImmediate);
    }
    expect([bytes, await session.exited]).toEqual([32 * 1024 * 1024, { code: 0 }]);
  });

  test("input of 8 MiB is sent in order and complete", async () => {
    const session = await client.exec("default/app", ["cat"], { ...web, stdin: true });
    const input = Buffer.from(Array.from({ length: 8 * 1024 * 1024 }, (_, at) => (at % 95) + 32));
    session.stdin.end(input);
    const { stdout } = await session.output();
    expect(stdout === input.toString()).toBe(true);
  });

  test("an attached container gets input and the session ends with it", async () => {
    const session = await client.attach("default/app", { container: "side", stdin: true, stderr: false });
    session.stdin.end("hello");
    expect(await session.output()).toEqual({ code: 0, stdout: "hello", stderr: "" });
    expect(kubelet.received.at(-1)).toEqual({
      path: "/attach/default/app/side",
      command: [],
      streams: "input=1&output=1",
    });
  });

  test("a connection that breaks is an error for the reader and for `exited`", async () => {
    const session = await client.exec("default/app", ["cut"], web);
    await expect(session.output()).rejects.toThrow(ConnectionError);
    await expect(session.exited).rejects.toThrow(
      "expected a response to GET /api/v1/namespaces/default/pods/app/exec",
    );
  });

  test("aborting the signal ends the session with its reason", async () => {
    const stop = new AbortController();
    const session = await client.exec("default/app", ["wait"], { ...web, signal: stop.signal });
    await once(session.stdout, "readable");
    stop.abort(new Error("enough"));
    await expect(session.exited).rejects.toThrow("enough");
  });

  test("closing a session ends it", async () => {
    const session = await client.exec("default/app", ["wait"], web);
    await session.close();
    await expect(session.exited).rejects.toThrow("closed before its command has ended");
  });

  test("a missing Pod and a missing container are errors of the server", async () => {
    await expect(client.exec("default/absent", ["cat"])).rejects.toMatchObject({
      code: 404,
      reason: "NotFound",
    });
    await expect(client.exec("default/app", ["cat"])).rejects.toThrow(
      /400 BadRequest: a container name must be specified for pod app, choose one of: \[web side\]/,
    );
  });

  test("a user without the permission is refused", async () => {
    await using alice = await connect({ kubeconfig: cluster.kubeconfigOf("alice") });
    const error: unknown = await alice.exec("default/app", ["cat"], web).catch((reason: unknown) => reason);
    expect(isForbidden(error)).toBe(true);
  });
});
