import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { SelfSubjectAccessReview } from "../api/types/authorization/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import type { ApiRequest, MessageConnection, Transport, UpgradeRequest } from "../transport/index.ts";
import { type Contender, type Contest, forever, Link, startContest } from "./contest.fixture.ts";
import { fenced, NotLeaderError } from "./index.ts";

/** Returns a leader, its fenced client, and the transport below the fence. */
async function leader(contest: Contest): Promise<{ anna: Contender; client: Client; link: Link }> {
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const link = new Link(contest.client.transport);
  return { anna, client: contest.client.through(() => fenced(link, anna.elector)), link };
}

const menu = { metadata: { name: "menu" }, data: { soup: "leek" } };

test("a leader can write", async () => {
  await using contest = await startContest();
  const { client } = await leader(contest);
  await client.create(ConfigMap, menu);
  await client.patch(ConfigMap, "menu", { merge: { data: { soup: "onion" } } });
  expect(await client.get(ConfigMap, "menu")).toMatchObject({ data: { soup: "onion" } });
  await client.delete(ConfigMap, "menu");
  expect(await client.list(ConfigMap, { namespace: "default" })).toEqual([]);
});

test("a standby can read, review access and dry-run, and every write is refused", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna");
  const link = new Link(contest.client.transport);
  const client = contest.client.through(() => fenced(link, anna.elector));
  expect(await client.get(ConfigMap, "menu")).toBeUndefined();
  await client.create(ConfigMap, menu, { dryRun: true });
  await client.create(SelfSubjectAccessReview, {
    metadata: {},
    spec: { resourceAttributes: { verb: "get", resource: "leases" } },
  });
  expect(link.methods).toEqual(["GET", "POST", "POST"]);

  const made = await contest.client.create(ConfigMap, menu);
  const writes = [
    () => client.create(ConfigMap, menu),
    () => client.update(ConfigMap, made),
    () => client.patch(ConfigMap, "menu", { merge: {} }),
    () => client.apply(ConfigMap, menu),
    () => client.delete(ConfigMap, "menu"),
    () => client.deleteAll(ConfigMap, { namespace: "default" }),
  ];
  for (const write of writes) await expect(write()).rejects.toBeInstanceOf(NotLeaderError);
  await expect(client.create(ConfigMap, menu)).rejects.toThrow(
    "expected leadership for POST /api/v1/namespaces/default/configmaps?fieldManager=trimtab, got none; nothing was sent",
  );
  expect(link.methods.length).toBe(3);
});

test("writes are refused from the moment leadership ended", async () => {
  await using contest = await startContest();
  const { anna, client } = await leader(contest);
  anna.link.cut = true;
  await contest.pass(9999);
  await client.create(ConfigMap, menu);
  await contest.pass(1);
  await expect(client.delete(ConfigMap, "menu")).rejects.toBeInstanceOf(NotLeaderError);
});

test("a write in flight is aborted when leadership ends", async () => {
  await using contest = await startContest();
  const { anna, client, link } = await leader(contest);
  link.before = forever;
  const written = expect(client.create(ConfigMap, menu)).rejects.toThrow(
    "expected leadership for POST /api/v1/namespaces/default/configmaps?fieldManager=trimtab, got its end before the response",
  );
  anna.link.cut = true;
  await contest.pass(10_000);
  await written;
});

test("a write aborted by its caller rejects with the caller's reason and leaves no listener", async () => {
  await using contest = await startContest();
  const { anna, client, link } = await leader(contest);
  const { leadership } = anna.elector;
  const before = getEventListeners(leadership, "abort").length;
  link.before = forever;
  const off = new AbortController();
  const written = expect(client.create(ConfigMap, menu, { signal: off.signal })).rejects.toThrow(
    "changed my mind",
  );
  await contest.pass(0);
  off.abort(new Error("changed my mind"));
  await written;
  link.before = () => undefined;
  await client.create(ConfigMap, menu);
  expect([
    getEventListeners(leadership, "abort").length,
    getEventListeners(off.signal, "abort").length,
  ]).toEqual([before, 0]);
});

test("leadership is checked again when a write is sent, since time may have passed", async () => {
  let leads = true;
  const sent: ApiRequest[] = [];
  const late: Transport = {
    server: "http://late",
    async send(request) {
      leads = false; // time passes without a signal, as in a paused process
      request.beforeSend?.();
      sent.push(request);
      return { status: 200, headers: {}, body: Buffer.from("{}") };
    },
    open: () => Promise.reject(new Error("unexpected request")),
    close: async () => {},
  };
  const fence = { isLeader: () => leads, leadership: new AbortController().signal };
  const write = { method: "PUT", path: "/api/v1/namespaces/a/pods/b" } as const;
  await expect(fenced(late, fence).send(write)).rejects.toBeInstanceOf(NotLeaderError);
  expect(sent).toEqual([]);
});

test("a WebSocket is refused on a standby, and ends with leadership", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna");
  const opened: UpgradeRequest[] = [];
  const connection = {
    receive() {},
    send() {},
    pause() {},
    resume() {},
    close() {},
    closed: new Promise<void>(() => {}),
  };
  const upgrade = async (request: UpgradeRequest): Promise<MessageConnection> => {
    request.beforeSend?.();
    opened.push(request);
    return connection;
  };
  const link: Transport = Object.assign(new Link(contest.client.transport), { upgrade });
  const transport = fenced(link, anna.elector);
  const request: UpgradeRequest = { method: "GET", path: "/exec", protocol: "v5.channel.k8s.io" };
  await expect(transport.upgrade?.(request)).rejects.toThrow(NotLeaderError);
  expect(opened).toEqual([]);
  const running = anna.run();
  await contest.pass(0);
  await transport.upgrade?.(request);
  const [{ signal } = {}] = opened;
  expect(signal?.aborted).toBe(false);
  await running.stop();
  expect(signal?.reason).toBeInstanceOf(NotLeaderError);
});
