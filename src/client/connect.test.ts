import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, prometheus, settled, VirtualClock } from "../base/index.ts";
import { type ClientOptions, ConnectionError, clientFor, clientOver, connect } from "./index.ts";
import { release } from "./release.ts";
import { type Reply, refused, ScriptedTransport } from "./scripted-transport.fixture.ts";

function over(replies: readonly Reply[], options: ClientOptions = {}) {
  const transport = new ScriptedTransport(...replies);
  return { transport, client: clientOver(transport, { namespace: "home", ...options }) };
}

const warned = (...texts: readonly string[]): Reply => ({
  headers: { warning: texts.map((text) => `299 - "${text}"`) },
});

test("the program of the nearest package.json is the field manager and the first product of the User-Agent", async () => {
  const { client, transport } = over([{}]);
  await client.patch(ConfigMap, "a", { merge: {} });
  expect(transport.requests[0]).toMatchObject({
    path: expect.stringMatching(/\?fieldManager=trimtab$/), // this repository is the program here
    headers: { "user-agent": `trimtab/${release} trimtab/${release} (${process.platform}/${process.arch})` },
  });
});

test("a field manager that the server would refuse is refused before anything is sent", () => {
  const message = "expected fieldManager to have 1 to 128 printable characters, got ";
  expect(() => over([], { fieldManager: "m".repeat(129) })).toThrow(`${message}129 bytes`);
  const { client } = over([]);
  expect(() => client.withFieldManager("")).toThrow(`${message}an empty one`);
});

test("a client with another field manager is the same client otherwise", async () => {
  const { client, transport } = over([{}, {}], { userAgent: "a/1" });
  const renamed = client.inNamespace("away").withFieldManager("website.example.dev");
  await renamed.patch(ConfigMap, "a", { merge: {} });
  await renamed.as({ user: "ana" }).patch(ConfigMap, "a", { merge: {} });
  const line = "PATCH /api/v1/namespaces/away/configmaps/a?fieldManager=website.example.dev";
  expect([transport.lines, client.fieldManager, renamed.fieldManager]).toEqual([
    [line, line],
    "a",
    "website.example.dev",
  ]);
});

test("a user agent of one's own is the field manager up to its slash", async () => {
  const { client, transport } = over([{}], { userAgent: "website-operator/2.0 (test)" });
  await client.patch(ConfigMap, "a", { merge: {} });
  expect(transport.requests[0]).toMatchObject({
    path: expect.stringMatching(/\?fieldManager=website-operator$/),
    headers: { "user-agent": "website-operator/2.0 (test)" },
  });
});

test("a field manager of one's own wins over the user agent, and a call's own over both", async () => {
  const { client, transport } = over([{}, {}], { userAgent: "a/1", fieldManager: "b" });
  await client.patch(ConfigMap, "a", { merge: {} });
  await client.patch(ConfigMap, "a", { merge: {} }, { fieldManager: "c" });
  expect(transport.lines.map((line) => line.split("?")[1])).toEqual(["fieldManager=b", "fieldManager=c"]);
});

test("a rate limit lets a burst pass, then so many a second", async () => {
  const clock = new VirtualClock();
  const { client, transport } = over([{}, {}, {}, {}], { clock, rateLimit: { perSecond: 2, burst: 2 } });
  const all = Promise.all(["a", "b", "c", "d"].map((name) => client.get(ConfigMap, name)));
  const sent: number[] = [];
  for (const ms of [0, 499, 1, 499, 1]) {
    await clock.advance(ms);
    sent.push(transport.requests.length);
  }
  expect(sent).toEqual([2, 2, 3, 3, 4]);
  await all;
});

test("where no rate limit is asked for, nothing waits", async () => {
  const clock = new VirtualClock();
  const { client, transport } = over(
    Array.from({ length: 300 }, () => ({})),
    { clock },
  );
  const all = Array.from({ length: 300 }, (_, index) => client.get(ConfigMap, `a${index}`));
  await clock.advance(0);
  expect([transport.requests.length, clock.timers]).toEqual([300, 0]);
  await Promise.all(all);
});

test("each different warning is told once", async () => {
  const warnings: string[] = [];
  const replies = [warned("old", "odd"), warned("old"), warned("new")];
  const { client } = over(replies, { onWarning: (text) => warnings.push(text) });
  for (const name of ["a", "b"]) await client.get(ConfigMap, name);
  await client.inNamespace("away").get(ConfigMap, "c");
  expect(warnings).toEqual(["old", "odd", "new"]);
});

test("an onWarning that throws is logged, and fails no request", async () => {
  const entries: LogEntry[] = [];
  const error = new Error("thrown by a callback");
  const onWarning = (): never => {
    throw error;
  };
  const log = loggerTo((entry) => entries.push(entry));
  const { client } = over([warned("old")], { log, onWarning });
  await client.get(ConfigMap, "a");
  expect(entries).toEqual([{ level: "error", message: "onWarning failed", fields: { error, text: "old" } }]);
});

test("warnings are logged where nobody takes them", async () => {
  const entries: LogEntry[] = [];
  const { client } = over([warned("old")], { log: loggerTo((entry) => entries.push(entry)) });
  await client.get(ConfigMap, "a");
  expect(entries).toMatchObject([{ level: "warn", message: "API server warning", fields: { text: "old" } }]);
});

test("without a logger, each warning is one line on standard error", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  const { client } = over([warned("old"), warned("old"), warned("new")], { clock: new VirtualClock() });
  for (const name of ["a", "b", "c"]) await client.get(ConfigMap, name);
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
  expect(lines).toEqual([
    { level: "warn", time: "2026-01-01T00:00:00.000Z", text: "old", msg: "API server warning" },
    { level: "warn", time: "2026-01-01T00:00:00.000Z", text: "new", msg: "API server warning" },
  ]);
});

test("what the server asks to be sent again is, on the clock given, and logged", async () => {
  const clock = new VirtualClock();
  const entries: LogEntry[] = [];
  const busy = { ...refused(429, "TooManyRequests"), headers: { "retry-after": "3" } };
  const { client, transport } = over([busy, {}], { clock, log: loggerTo((entry) => entries.push(entry)) });
  const answer = client.get(ConfigMap, "a");
  await clock.advance(2999);
  expect(transport.requests).toHaveLength(1);
  await clock.advance(1);
  expect(await answer).toEqual({});
  expect(entries).toMatchObject([
    {
      level: "debug",
      message: "trying again",
      fields: { method: "GET", path: "/api/v1/namespaces/home/configmaps/a", code: "429", afterMs: 3000 },
    },
  ]);
});

test("requests are counted", async () => {
  const metrics = prometheus();
  const { client } = over([{}], { metrics });
  await client.get(ConfigMap, "a");
  expect(await metrics.text()).toContain(
    'rest_client_requests_total{code="200",method="GET",host="scripted:6443"} 1',
  );
});

test("acting as somebody else is said with every request, and replaces whom one acted as before", async () => {
  const { client, transport } = over([{}, {}, {}]);
  const ana = client.as({ user: "ana", groups: ["a", "b"], uid: "1", extra: { team: ["x"] } });
  await ana.get(ConfigMap, "a");
  await ana.inNamespace("away").as({ user: "ben" }).get(ConfigMap, "a");
  await client.get(ConfigMap, "a");
  const impersonations = transport.requests.map(({ headers = {} }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("impersonate-"))),
  );
  expect(impersonations).toEqual([
    {
      "impersonate-user": "ana",
      "impersonate-group": ["a", "b"],
      "impersonate-uid": "1",
      "impersonate-extra-team": ["x"],
    },
    { "impersonate-user": "ben" },
    {},
  ]);
});

test("nobody cannot be acted as", () => {
  const { client } = over([]);
  expect(() => client.as({ user: "" })).toThrow("expected a user to act as, got none");
});

test("connect finds server and namespace, and sends nothing yet", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trimtab-connect-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, "config");
  await writeFile(kubeconfig, config);
  await using client = await connect({ kubeconfig });
  expect([client.transport.server, client.namespace]).toEqual(["http://127.0.0.1:1", "team"]);
  await using elsewhere = await connect({ kubeconfig, namespace: "other" });
  expect(elsewhere.namespace).toBe("other");
});

const config = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:1" } }],
  contexts: [{ name: "x", context: { cluster: "c", namespace: "team" } }],
  "current-context": "x",
});

test("a cluster that is already found is reached, or said not to answer", async () => {
  await using client = clientFor({
    server: "http://127.0.0.1:1",
    namespace: "team",
    identity: { current: () => ({ headers: {}, tls: undefined }), refused: () => false },
    origin: "a test",
  });
  const answer = client.get(ConfigMap, "a");
  await expect(answer).rejects.toBeInstanceOf(ConnectionError);
  await expect(answer).rejects.toThrow("GET /api/v1/namespaces/team/configmaps/a from http://127.0.0.1:1");
  await settled();
});
