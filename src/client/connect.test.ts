import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, prometheus, settled, VirtualClock } from "../base/index.ts";
import { release } from "./connect.ts";
import { type ClientOptions, ConnectionError, clientFor, clientOver, connect } from "./index.ts";
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
  expect(() => client.withFieldManager("")).toThrow(`${message}an empty name`);
});

test("withFieldManager changes only the field manager", async () => {
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

test("the default field manager is the userAgent up to its first slash", async () => {
  const { client, transport } = over([{}], { userAgent: "website-operator/2.0 (test)" });
  await client.patch(ConfigMap, "a", { merge: {} });
  expect(transport.requests[0]).toMatchObject({
    path: expect.stringMatching(/\?fieldManager=website-operator$/),
    headers: { "user-agent": "website-operator/2.0 (test)" },
  });
});

test("fieldManager takes precedence over userAgent, and the option of a call over both", async () => {
  const { client, transport } = over([{}, {}], { userAgent: "a/1", fieldManager: "b" });
  await client.patch(ConfigMap, "a", { merge: {} });
  await client.patch(ConfigMap, "a", { merge: {} }, { fieldManager: "c" });
  expect(transport.lines.map((line) => line.split("?")[1])).toEqual(["fieldManager=b", "fieldManager=c"]);
});

test("a rate limit allows a burst, and then the configured rate", async () => {
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

test("without a rate limit, no request waits", async () => {
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

test("each different warning is reported once", async () => {
  const warnings: string[] = [];
  const replies = [warned("old", "odd"), warned("old"), warned("new")];
  const { client } = over(replies, { onWarning: (text) => warnings.push(text) });
  for (const name of ["a", "b"]) await client.get(ConfigMap, name);
  await client.inNamespace("away").get(ConfigMap, "c");
  expect(warnings).toEqual(["old", "odd", "new"]);
});

test("an error of onWarning is logged, and the request succeeds", async () => {
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

test("warnings are logged if there is no onWarning", async () => {
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

test("a response with Retry-After is retried on the given clock, and logged", async () => {
  const clock = new VirtualClock();
  const entries: LogEntry[] = [];
  const busy = { ...refused(429, "TooManyRequests"), headers: { "retry-after": "3" } };
  const { client, transport } = over([busy, {}], { clock, log: loggerTo((entry) => entries.push(entry)) });
  const response = client.get(ConfigMap, "a");
  await clock.advance(2999);
  expect(transport.requests).toHaveLength(1);
  await clock.advance(1);
  expect(await response).toEqual({});
  expect(entries).toMatchObject([
    {
      level: "debug",
      message: "retrying request",
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

test("impersonation headers are sent with every request, and replace those of an earlier `as`", async () => {
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

test("an empty user cannot be impersonated", () => {
  const { client } = over([]);
  expect(() => client.as({ user: "" })).toThrow("expected a user to act as, got none");
});

test("connect finds the server and namespace, and sends no request", async () => {
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

test("clientFor sends requests to the given cluster, and reports if it does not respond", async () => {
  await using client = clientFor({
    server: "http://127.0.0.1:1",
    namespace: "team",
    identity: { current: () => ({ headers: {}, tls: undefined }), refused: () => false },
    origin: "a test",
  });
  const response = client.get(ConfigMap, "a");
  await expect(response).rejects.toBeInstanceOf(ConnectionError);
  await expect(response).rejects.toThrow("GET /api/v1/namespaces/team/configmaps/a from http://127.0.0.1:1");
  await settled();
});

test("release equals the version in package.json", () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(release).toBe(JSON.parse(manifest).version);
});
