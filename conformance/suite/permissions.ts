import { controller } from "trimtab";
import { ConfigMap, Event as CoreEvent } from "trimtab/api/core/v1";
import { type PolicyRule, Role, RoleBinding } from "trimtab/api/rbac/v1";
import { type Client, isForbidden } from "trimtab/client";
import { atWork, Notes } from "../at-work.ts";
import { type Stage, scenario } from "../scenario.ts";

const reads: PolicyRule = { apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] };
const coreEvents: PolicyRule = { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] };
const finalizers: PolicyRule = { apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] };
/** Permissions for one Lease. The create permission cannot be restricted by name. */
const lease: readonly PolicyRule[] = [
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    resourceNames: ["operator"],
    verbs: ["get", "update"],
  },
];

/** Returns the client of a user with these permissions in the scenario's namespace, once the server applies them. */
async function operator({ client, namespace, signal }: Stage, rules: readonly PolicyRule[]): Promise<Client> {
  const user = `operator-${namespace}`;
  const apiGroup = "rbac.authorization.k8s.io";
  await client.create(Role, { metadata: { name: "operator" }, rules: [...rules] });
  await client.create(RoleBinding, {
    metadata: { name: "operator" },
    roleRef: { apiGroup, kind: "Role", name: "operator" },
    subjects: [{ apiGroup, kind: "User", name: user }],
  });
  const as = client.as({ user });
  while (!(await as.list(ConfigMap, { signal }).then(() => true, orForbidden)));
  return as;
}

function orForbidden(error: unknown): false {
  if (isForbidden(error)) return false;
  throw error;
}

scenario(
  "permissions for one Lease, finalizers and reads are sufficient to lead and to clean up",
  async (stage) => {
    const client = await operator(stage, [reads, finalizers, ...lease]);
    const notes = new Notes();
    const cleaning = controller({
      name: "configmap",
      for: ConfigMap,
      view: { labels: { of: "us" } },
      reconcile: async ({ name }) => notes.add(`made ${name}`),
      finalizer: "example.dev/maps",
      cleanup: async ({ metadata }) => notes.add(`cleaned ${metadata.name}`),
    });
    const leaderElection = { name: "operator", identity: "one" };
    await using work = await atWork({ ...stage, client }, [cleaning], { leaderElection });
    await stage.client.create(ConfigMap, { metadata: { name: "a", labels: { of: "us" } } });
    stage.expect(await notes.next(stage.signal)).toBe("made a");
    await stage.client.delete(ConfigMap, "a");
    while ((await notes.next(stage.signal)) !== "cleaned a"); // adding the finalizer is a change, too
    stage.expect(work.warnings).toContain("optional permission missing"); // permission to write Events
  },
  { needs: "rbac" },
);

scenario(
  "if events.k8s.io is forbidden, controllers and elections write core Events without a warning",
  async (stage) => {
    const client = await operator(stage, [reads, coreEvents, ...lease]);
    const map = await stage.client.create(ConfigMap, { metadata: { name: "a", labels: { of: "us" } } });
    const notes = new Notes();
    const recording = controller({
      name: "maps",
      for: ConfigMap,
      view: { labels: { of: "us" } },
      async reconcile(_, { events }) {
        events.normal(map, "Seen", "by maps");
        notes.add("seen");
      },
    });
    const leaderElection = { name: "operator", identity: "one" };
    const work = await atWork({ ...stage, client }, [recording], { leaderElection });
    await notes.next(stage.signal);
    await work[Symbol.asyncDispose](); // delivers the events
    stage.expect(work.warnings).toEqual([]);
    const written = await stage.client.list(CoreEvent);
    const [event, ...others] = written.filter(({ involvedObject }) => involvedObject.kind === "ConfigMap");
    stage.expect(others).toEqual([]);
    stage.expect(event).toMatchObject({
      involvedObject: { kind: "ConfigMap", name: "a", uid: map.metadata.uid },
      reason: "Seen",
      message: "by maps",
      count: 1,
      eventTime: null, // only events.k8s.io sets it
      source: { component: "maps" },
      reportingComponent: "maps",
    });
    const elected = written.filter(({ involvedObject }) => involvedObject.kind === "Lease");
    stage.expect(elected[0]).toMatchObject({ reason: "LeaderElection", source: { component: "operator" } });
  },
  { needs: "rbac" },
);

scenario(
  "missing permissions are reported before the manager starts, with the RBAC rules",
  async (stage) => {
    const client = await operator(stage, [reads]);
    const cleaning = controller({
      name: "configmap",
      for: ConfigMap,
      reconcile: async () => {},
      finalizer: "example.dev/maps",
      cleanup: async () => {},
    });
    const leaderElection = { name: "operator", identity: "one" };
    const failure = await atWork({ ...stage, client }, [cleaning], { leaderElection }).then(
      () => "it began",
      (error: Error) => error.message,
    );
    stage
      .expect(failure.split("\n").filter((line) => /verbs:|resources:/.test(line)))
      .toEqual([
        '      resources: ["configmaps"]',
        '      verbs: ["patch"]',
        '      resources: ["leases"]',
        '      verbs: ["get", "create", "update"]',
      ]);
    stage
      .expect(failure)
      .toContain(`expected operator-${stage.namespace} to have permission to patch configmaps`);
  },
  { needs: "rbac" },
);
