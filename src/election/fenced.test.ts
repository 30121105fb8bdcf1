import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { SelfSubjectAccessReview } from "../api/types/authorization/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import type { ApiRequest, Transport } from "../transport/index.ts";
import { type Contender, type Contest, forever, Link, startContest } from "./contest.fixture.ts";
import { fenced, NotLeaderError } from "./index.ts";

/** A leader, and its client for writes, with the way below it. */
async function leader(contest: Contest): Promise<{ anna: Contender; client: Client; link: Link }> {
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const link = new Link(contest.client.transport);
  return { anna, client: contest.client.through(() => fenced(link, anna.elector)), link };
}

const menu = { metadata: { name: "menu" }, data: { soup: "leek" } };

test("who leads writes", async () => {
  await using contest = await startContest();
  const { client } = await leader(contest);
  await client.create(ConfigMap, menu);
  await client.patch(ConfigMap, "menu", { merge: { data: { soup: "onion" } } });
  expect(await client.get(ConfigMap, "menu")).toMatchObject({ data: { soup: "onion" } });
  await client.delete(ConfigMap, "menu");
  expect(await client.list(ConfigMap, { namespace: "default" })).toEqual([]);
});

test("who does not lead reads, asks what it may, tries without effect, and writes nothing", async () => {
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
    "expected to lead for POST /api/v1/namespaces/default/configmaps?fieldManager=trimtab, got no leadership; nothing was sent",
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

test("a write that has no answer when leadership ends is broken off", async () => {
  await using contest = await startContest();
  const { anna, client, link } = await leader(contest);
  link.before = forever;
  const written = expect(client.create(ConfigMap, menu)).rejects.toThrow(
    "expected to lead for POST /api/v1/namespaces/default/configmaps?fieldManager=trimtab, got an end of leadership before the answer",
  );
  anna.link.cut = true;
  await contest.pass(10_000);
  await written;
});

test("a write that its caller calls off ends with the caller's reason, and nothing stays behind", async () => {
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

test("a write is asked again as it leaves: time may have passed since it came", async () => {
  let leads = true;
  const left: ApiRequest[] = [];
  const late: Transport = {
    server: "http://late",
    async send(request) {
      leads = false; // time passes, and no signal tells of it: the process stood still
      request.beforeSend?.();
      left.push(request);
      return { status: 200, headers: {}, body: Buffer.from("{}") };
    },
    open: () => Promise.reject(new Error("not asked for")),
    close: async () => {},
  };
  const fence = { isLeader: () => leads, leadership: new AbortController().signal };
  const write = { method: "PUT", path: "/api/v1/namespaces/a/pods/b" } as const;
  await expect(fenced(late, fence).send(write)).rejects.toBeInstanceOf(NotLeaderError);
  expect(left).toEqual([]);
});
