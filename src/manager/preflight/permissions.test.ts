import { expect, test } from "vitest";
import { ConfigMap } from "../../api/types/core/v1.ts";
import { controller } from "../../controller/index.ts";
import { forbidden, withPermissions } from "../limited-client.fixture.ts";
import { Managed, reconciling } from "../managed.fixture.ts";

const cleaning = controller({
  name: "web",
  for: ConfigMap,
  async reconcile() {},
  finalizer: "example.dev/maps",
  async cleanup() {},
});
const leaderElection = { name: "operator", namespace: "kube-system", identity: "one" };

test("missing write permissions are reported before any part starts", async () => {
  await using world = await Managed.start();
  const client = withPermissions(world.cluster.client, ({ verb }) => verb === "list" || verb === "watch");
  await world.run([cleaning], { client, leaderElection, metrics: { port: 0, guarded: true } });
  const message = String(await world.over);
  const lines = message.split("\n").filter((line) => line.includes("expected"));
  expect(lines).toEqual([
    "expected a usable configuration, got 4 problems:",
    "- expected admin to have permission to patch configmaps in the whole cluster " +
      "(controller web sets a finalizer on it), got none; a ClusterRole that is bound to it needs this rule:",
    "- expected admin to have permission to get, create, update leases.coordination.k8s.io in namespace kube-system " +
      "(leader election uses it), got none; a Role of namespace kube-system that is bound to it needs this rule:",
    "- expected admin to have permission to create tokenreviews.authentication.k8s.io in the whole cluster " +
      "(the metrics guard reviews callers with it), got none; a ClusterRole that is bound to it needs this rule:",
    "- expected admin to have permission to create subjectaccessreviews.authorization.k8s.io in the whole cluster " +
      "(the metrics guard reviews callers with it), got none; a ClusterRole that is bound to it needs this rule:",
  ]);
  expect(message).toContain('    - apiGroups: [""]\n      resources: ["configmaps"]\n      verbs: ["patch"]');
});

test("permissions for the Lease of an election are reviewed by its name, except for create", async () => {
  await using world = await Managed.start();
  const reviewed: string[] = [];
  const client = withPermissions(world.cluster.client, ({ verb, resource, namespace, name }) => {
    if (resource === "leases") reviewed.push(`${verb} ${namespace} ${name}`);
    return true;
  });
  await world.run([cleaning], { client, leaderElection });
  expect(reviewed.sort()).toEqual([
    "create kube-system undefined",
    "get kube-system operator",
    "update kube-system operator",
  ]);
  expect(await world.end()).toBe("over");
});

/** Runs an election of a user with these permissions for Events, and returns the warnings of the manager. */
async function electionWarnings(allowed: (group: string, verb: string) => boolean): Promise<unknown[]> {
  await using world = await Managed.start();
  const client = withPermissions(
    world.cluster.client,
    ({ resource, group = "", verb = "" }) => resource !== "events" || allowed(group, verb),
  );
  await world.run([reconciling(async () => {})], { client, leaderElection });
  expect(await world.end()).toBe("over");
  return world.logged.filter(({ level }) => level === "warn").map(({ fields }) => fields.problem);
}

test("an election does not warn if Events of either API may be written", async () => {
  for (const either of ["events.k8s.io", ""]) {
    expect(await electionWarnings((group) => group === either)).toEqual([]);
  }
});

test("permission for core Events does not replace a missing patch permission for events.k8s.io Events", async () => {
  expect(await electionWarnings((group, verb) => group === "" || verb === "create")).toEqual([
    expect.stringContaining(
      "expected admin to have permission to patch events.events.k8s.io in namespace kube-system",
    ),
  ]);
});

test("without permission for Events a leader logs the rule and leads", async () => {
  await using world = await Managed.start();
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const log: string[] = [];
  const noEvents = forbidden(world.cluster.client, "/events.k8s.io/v1/namespaces");
  const client = withPermissions(noEvents, ({ resource }) => resource !== "events");
  await world.run([reconciling(async (name) => void log.push(name))], { client, leaderElection });
  expect(log).toEqual(["a"]);
  const warned = world.logged.find(({ level }) => level === "warn");
  expect([warned?.message, warned?.fields.problem]).toEqual([
    "optional permission missing",
    "expected admin to have permission to create, patch events.events.k8s.io in namespace kube-system " +
      "(leader election records events with it), got none; " +
      "a Role of namespace kube-system that is bound to it needs this rule:\n" +
      '    - apiGroups: ["events.k8s.io"]\n      resources: ["events"]\n      verbs: ["create", "patch"]',
  ]);
  expect(await world.end()).toBe("over");
});
