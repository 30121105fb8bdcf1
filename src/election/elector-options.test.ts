import { hostname } from "node:os";
import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { prometheus, seededRng } from "../base/index.ts";
import { ConfigError } from "../client/index.ts";
import { startContest, untilAborted } from "./contest.fixture.ts";
import { Elector, type ElectorOptions } from "./index.ts";

test.each<[Partial<ElectorOptions>, string]>([
  [{ name: "" }, "expected name to be set, got an empty string"],
  [{ namespace: "" }, "expected namespace to be set, got an empty string"],
  [{ identity: "" }, "expected identity to be set, got an empty string"],
  [{ leaseDurationMs: 15_500 }, "expected leaseDurationMs to be whole seconds, got 15500"],
  [
    { leaseDurationMs: 10_000 },
    "expected leaseDurationMs to be more than renewDeadlineMs, got 10000 and 10000",
  ],
  [
    { renewDeadlineMs: 2_400 },
    "expected renewDeadlineMs to be more than 1.2 times retryPeriodMs, got 2400 and 2000",
  ],
  [{ retryPeriodMs: 0 }, "expected retryPeriodMs to be at least 1, got 0"],
])("%j is rejected", async (options, message) => {
  await using contest = await startContest();
  const make = (): Elector => new Elector({ client: contest.client, name: "crown", ...options });
  expect(make).toThrow(new ConfigError(message));
});

test("the default identity is the host name with a uuid, and the lease is in the client's namespace", async () => {
  await using contest = await startContest();
  const elector = new Elector({ client: contest.client.inNamespace("kube-system"), name: "crown" });
  expect(elector.lease).toBe("kube-system/crown");
  expect(elector.identity).toMatch(new RegExp(`^${hostname()}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`));
});

test("labels are set on the lease, and other labels are kept", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna", { labels: { app: "crown" } }).run();
  await contest.pass(0);
  const labels = async (): Promise<unknown> => (await contest.client.get(Lease, "crown"))?.metadata.labels;
  expect(await labels()).toEqual({ app: "crown" });
  await contest.client.patch(Lease, "crown", {
    merge: { metadata: { labels: { app: "hat", seen: "yes" } } },
  });
  await contest.pass(2000);
  expect(await labels()).toEqual({ app: "crown", seen: "yes" });
  await anna.stop();
});

test("a missing namespace fails the run at once, with the command that creates it", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna", { namespace: "nowhere" }).run();
  await contest.pass(0);
  expect(anna.outcome).toBeInstanceOf(ConfigError);
  expect(anna.outcome).toMatchObject({
    message:
      "expected namespace nowhere for lease nowhere/crown, got " +
      "expected success of POST /apis/coordination.k8s.io/v1/namespaces/nowhere/leases?fieldManager=trimtab, " +
      'got 404 NotFound: namespaces "nowhere" not found; ' +
      "create it (kubectl create namespace nowhere), or name another",
  });
});

/** A 403 response of kube-apiserver. */
const forbidden = {
  status: 403,
  headers: { "content-type": "application/json" },
  body: Buffer.from(
    JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message:
        'leases.coordination.k8s.io "crown" is forbidden: User "anna" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "default"',
      reason: "Forbidden",
      details: { name: "crown", group: "coordination.k8s.io", kind: "leases" },
      code: 403,
    }),
  ),
};

test("a missing permission fails the run at once, with the RBAC rule that grants it", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna");
  anna.link.before = async () => forbidden;
  anna.run();
  await contest.pass(0);
  expect(anna.outcome).toBeInstanceOf(ConfigError);
  expect(anna.outcome).toMatchObject({
    message:
      "expected permission to get, create and update lease default/crown, got " +
      "expected success of GET /apis/coordination.k8s.io/v1/namespaces/default/leases/crown, got 403 Forbidden: " +
      'leases.coordination.k8s.io "crown" is forbidden: User "anna" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "default"; ' +
      'a Role in namespace default needs the rule { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] }, ' +
      "and a RoleBinding to this program's user or service account",
  });
});

test("after a first success, an elector keeps trying through 403 responses and an unreachable server", async () => {
  await using contest = await startContest();
  await contest.write({ holderIdentity: "ben", leaseDurationSeconds: 600 });
  const anna = contest.contender("anna").run();
  await contest.pass(10_000);
  anna.link.before = async () => forbidden;
  await contest.pass(10_000);
  anna.link.before = () => undefined;
  anna.link.cut = true;
  await contest.pass(10_000);
  anna.link.cut = false;
  await contest.write({ holderIdentity: "" });
  await contest.pass(5_000);
  expect([anna.outcome, anna.elector.isLeader()]).toEqual([undefined, true]);
  expect(new Set(anna.logged.map(({ message }) => message))).toEqual(
    new Set(["waiting for the lease", "new leader elected", "acquiring the lease failed", "lease acquired"]),
  );
});

test("an unreachable server is retried until it is reachable", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna");
  anna.link.cut = true;
  anna.run();
  await contest.pass(60_000);
  anna.link.cut = false;
  await contest.pass(4400);
  expect(anna.elector.isLeader()).toBe(true);
});

test("attempts are randomly spread between 1 and 2.2 retry periods", async () => {
  await using contest = await startContest();
  const times: number[] = [];
  const anna = contest.contender("anna", { rng: seededRng(7) });
  anna.link.before = async () => void times.push(contest.clock.monotonic());
  anna.link.cut = true;
  anna.run();
  await contest.pass(1_000_000);
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2000);
  expect(Math.min(...waits)).toBeLessThan(2100);
  expect(Math.max(...waits)).toBeGreaterThan(4300);
  expect(Math.max(...waits)).toBeLessThan(4400);
});

test("metrics have client-go's names: the leader's status, and renewals that had to read", async () => {
  await using contest = await startContest();
  const metrics = prometheus();
  const lines = async (): Promise<string[]> =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("leader_election"));
  const anna = contest.contender("anna", { metrics }).run();
  expect(await lines()).toEqual(['leader_election_master_status{name="crown"} 0']);
  await contest.pass(0);
  await contest.client.patch(Lease, "crown", { merge: { metadata: { labels: { seen: "yes" } } } });
  await contest.pass(4000);
  expect(await lines()).toEqual([
    'leader_election_master_status{name="crown"} 1',
    'leader_election_slowpath_total{name="crown"} 1',
  ]);
  anna.link.cut = true;
  await contest.pass(10_000);
  expect((await lines())[0]).toBe('leader_election_master_status{name="crown"} 0');
});

test("check fails only if an own lease expired long ago and the work has not ended", async () => {
  await using contest = await startContest();
  const check =
    ({ elector }: { readonly elector: Elector }) =>
    () =>
      elector.check({ toleranceMs: 5000 });
  let finish = (): void => {};
  const anna = contest.contender("anna");
  expect(check(anna)).not.toThrow();
  anna.run(async (signal) => {
    await untilAborted(signal);
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await contest.pass(0);
  const ben = contest.contender("ben").run();
  await contest.pass(0);
  anna.link.cut = true;
  await contest.pass(20_000);
  expect(check(anna)).not.toThrow();
  await contest.pass(1);
  expect(check(anna)).toThrow(
    "expected lease default/crown to be renewed or released, got neither for 20001 ms",
  );
  expect(check(ben)).not.toThrow();
  finish();
});
