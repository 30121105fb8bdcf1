import { expect, test } from "vitest";
import { Deployment } from "../../api/types/apps/v1.ts";
import { Lease } from "../../api/types/coordination/v1.ts";
import { Namespace } from "../../api/types/core/v1.ts";
import { withPermissions } from "../limited-client.fixture.ts";
import type { Need } from "./needs.ts";
import { deployments, secrets, World, websites } from "./preflight.fixture.ts";

test("each permission is reviewed once", async () => {
  await using world = await World.start();
  const reviewed: string[] = [];
  const client = withPermissions(world.client, ({ verb, group = "core", resource, namespace = "*" }) => {
    reviewed.push(`${verb} ${resource}.${group} ${namespace}`);
    return true;
  });
  await world.check(
    [deployments, deployments, { ...secrets, namespaces: ["default", "kube-system"] }],
    client,
  );
  expect(reviewed.sort()).toEqual([
    "list deployments.apps *",
    "list secrets.core default",
    "list secrets.core kube-system",
    "watch deployments.apps *",
    "watch secrets.core default",
    "watch secrets.core kube-system",
  ]);
});

test("missing cluster-wide permissions give one ClusterRole rule per resource", async () => {
  await using world = await World.start();
  const writes: Need = { kind: Deployment, verbs: ["patch"], why: "controller website writes it" };
  const scale: Need = { ...writes, subresource: "scale" };
  const client = withPermissions(
    world.client,
    ({ verb, resource }) => verb === "list" || resource === "secrets",
  );
  expect(await world.problems([deployments, secrets, writes, scale], client)).toEqual([
    "expected admin to have permission to watch, patch deployments.apps in the whole cluster " +
      "(controller website owns it; controller website writes it), got none; " +
      "a ClusterRole that is bound to it needs this rule:\n" +
      '    - apiGroups: ["apps"]\n      resources: ["deployments"]\n      verbs: ["watch", "patch"]',
    "expected admin to have permission to patch deployments.apps/scale in the whole cluster " +
      "(controller website writes it), got none; a ClusterRole that is bound to it needs this rule:\n" +
      '    - apiGroups: ["apps"]\n      resources: ["deployments/scale"]\n      verbs: ["patch"]',
  ]);
});

test("missing permissions in namespaces give one Role rule for all namespaces that lack the same", async () => {
  await using world = await World.start();
  const rule = '    - apiGroups: [""]\n      resources: ["secrets"]\n      verbs: ["list", "watch"]';
  const inThree: Need = { ...secrets, namespaces: ["default", "kube-system", "kube-public"] };
  const some = withPermissions(world.client, ({ namespace }) => namespace === "default");
  expect(await world.problems([inThree], some)).toEqual([
    "expected admin to have permission to list, watch secrets in namespaces kube-system, kube-public " +
      "(controller website watches it), got none; " +
      `a Role of each of these namespaces that is bound to it needs this rule:\n${rule}`,
  ]);
  const most = withPermissions(world.client, ({ namespace }) => namespace !== "default");
  expect(await world.problems([inThree], most)).toEqual([
    "expected admin to have permission to list, watch secrets in namespace default " +
      `(controller website watches it), got none; a Role of namespace default that is bound to it needs this rule:\n${rule}`,
  ]);
});

test("a permission for one name is enough if one object is needed, except for create", async () => {
  await using world = await World.start();
  const lease: Need = {
    kind: Lease,
    verbs: ["get", "create", "update"],
    name: "crown",
    why: "it is the one",
  };
  const named = withPermissions(
    world.client,
    ({ verb, name }) => (verb === "create") === (name === undefined),
  );
  expect(await world.check([lease], named)).toBe("fine");
  const other = withPermissions(world.client, ({ name }) => name !== "crown");
  expect(await world.problems([lease], other)).toEqual([
    "expected admin to have permission to get, update leases.coordination.k8s.io in the whole cluster (it is the one), " +
      "got none; a ClusterRole that is bound to it needs this rule:\n" +
      '    - apiGroups: ["coordination.k8s.io"]\n      resources: ["leases"]\n      verbs: ["get", "update"]',
  ]);
});

test("a missing optional permission is logged with its rule, and an optional kind may be missing", async () => {
  await using world = await World.start();
  const optional: Need = { ...secrets, verbs: ["patch"], optional: true };
  const none = withPermissions(
    world.client,
    ({ verb, resource }) => resource === "secrets" && verb === "list",
  );
  expect(await world.check([optional, { ...websites, optional: true }], none)).toBe("fine");
  const rule = (group: string, resource: string, verbs: string): string =>
    `    - apiGroups: ["${group}"]\n      resources: ["${resource}"]\n      verbs: [${verbs}]`;
  expect(world.logged.map(({ level, message, fields }) => [level, message, fields.problem])).toEqual([
    [
      "warn",
      "optional permission missing",
      "expected admin to have permission to patch secrets in the whole cluster (controller website watches it), got none; " +
        `a ClusterRole that is bound to it needs this rule:\n${rule("", "secrets", '"patch"')}`,
    ],
    [
      "warn",
      "optional permission missing",
      "expected admin to have permission to list, watch websites.example.dev in the whole cluster " +
        "(controller website watches it), got none; a ClusterRole that is bound to it needs this rule:\n" +
        rule("example.dev", "websites", '"list", "watch"'),
    ],
  ]);
  expect(await world.problems([optional, secrets], none)).toEqual([
    expect.stringContaining("expected admin to have permission to watch secrets in the whole cluster"),
  ]);
});

test("cluster-scoped kinds are reviewed for the whole cluster", async () => {
  await using world = await World.start();
  const need: Need = {
    kind: Namespace,
    verbs: ["list"],
    namespaces: ["nowhere"],
    why: "controller a lists it",
  };
  const client = withPermissions(world.client, ({ namespace }) => namespace === undefined);
  expect(await world.check([need], client)).toBe("fine");
});
