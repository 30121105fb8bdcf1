import { expect, test } from "vitest";
import { kind, metadataOnly } from "../../api/index.ts";
import { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import { SelfSubjectAccessReview } from "../../api/types/authorization/v1.ts";
import { ConfigMap } from "../../api/types/core/v1.ts";
import { ConnectionError } from "../../client/index.ts";
import { between, forbidden, refusal, withPermissions } from "../limited-client.fixture.ts";
import type { Need } from "./needs.ts";
import { deployments, secrets, Website, World, websites } from "./preflight.fixture.ts";

function definition(version: string) {
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    metadata: { name: "websites.example.dev" },
    spec: {
      group: "example.dev",
      scope: "Namespaced",
      names: { plural: "websites", kind: "Website", singular: "website", listKind: "WebsiteList" },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

test("preflight passes silently and immediately if nothing is missing", async () => {
  await using world = await World.start();
  const here: Need = { ...secrets, namespaces: ["default"] };
  expect(await world.check([deployments, here])).toBe("fine");
  expect([world.clock.monotonic(), world.logged]).toEqual([0, []]);
});

test("a missing kind is reported after two seconds with the command that installs it", async () => {
  await using world = await World.start();
  const twice: Need = { kind: Website, verbs: ["patch"], why: "controller website puts a finalizer on it" };
  expect(await world.problems([websites, twice])).toEqual([
    "expected the server to have example.dev/v1 Website " +
      "(controller website watches it; controller website puts a finalizer on it), got no such kind; install it first:\n" +
      "    kubectl apply -f <the file of CustomResourceDefinition websites.example.dev>",
  ]);
  expect(world.clock.monotonic()).toBeLessThanOrEqual(2500);
});

test("a missing kind that is declared in code is reported with the source of its CRD", async () => {
  await using world = await World.start();
  const Declared = { ...Website, toCustomResourceDefinition: () => definition("v1") };
  expect(await world.problems([{ ...websites, kind: Declared }])).toEqual([
    "expected the server to have example.dev/v1 Website (controller website watches it), got no such kind; install it first:\n" +
      "    kubectl apply -f <the file of CustomResourceDefinition websites.example.dev>\n" +
      "  JSON.stringify(Website.toCustomResourceDefinition()) prints the content of that file",
  ]);
});

test("a missing kind is reported even if there is no time for a retry", async () => {
  await using world = await World.start();
  const outcome = await world.check([{ ...websites, kind: metadataOnly(Website) }], world.client, {
    timeoutMs: 300,
  });
  expect(outcome).toHaveProperty(
    "message",
    "expected the server to have example.dev/v1 Website (controller website watches it), got no such kind; " +
      "install it first:\n    kubectl apply -f <the file of CustomResourceDefinition websites.example.dev>",
  );
});

test("a kind that is declared by name is resolved", async () => {
  await using world = await World.start();
  const byName: Need = { ...deployments, kind: kind({ group: "apps", version: "v1", kind: "Deployment" }) };
  const limited = withPermissions(world.client, ({ resource }) => resource !== "deployments");
  expect(await world.check([byName])).toBe("fine");
  expect(await world.problems([byName], limited)).toEqual([
    expect.stringContaining('resources: ["deployments"]'),
  ]);
});

test("a missing built-in kind is reported without a command to install it", async () => {
  await using world = await World.start();
  const Gone = kind({ group: "", version: "v1", kind: "PodSecurityPolicy" });
  expect(await world.problems([{ kind: Gone, verbs: ["list"], why: "controller old lists it" }])).toEqual([
    "expected the server to have v1 PodSecurityPolicy (controller old lists it), got no such kind; " +
      "this command lists what it has:\n    kubectl api-resources",
  ]);
});

test("a kind that is served in another version is reported with that version", async () => {
  await using world = await World.start();
  await world.client.create(CustomResourceDefinition, definition("v1beta1"));
  expect(await world.problems([websites])).toEqual([
    "expected the server to have example.dev/v1 Website (controller website watches it), " +
      "got it only in version v1beta1; use that version, or install one that serves v1",
  ]);
});

test("a kind that is installed during the retries is found", async () => {
  await using world = await World.start();
  let looks = 0;
  const client = between(world.client, async ({ path }, send) => {
    const response = await send();
    if (path === "/apis" && ++looks === 1)
      await world.client.create(CustomResourceDefinition, definition("v1"));
    return response;
  });
  expect(await world.check([websites], client)).toBe("fine");
  expect(looks).toBe(2);
});

test("a kind without a needed verb or subresource is reported", async () => {
  await using world = await World.start();
  await world.client.create(CustomResourceDefinition, definition("v1"));
  const status: Need = {
    kind: Website,
    subresource: "status",
    verbs: ["patch"],
    why: "controller website writes it",
  };
  const reviews: Need = {
    kind: SelfSubjectAccessReview,
    verbs: ["list", "create"],
    why: "controller odd lists it",
  };
  expect(await world.problems([status, reviews])).toEqual([
    "expected example.dev/v1 Website to have the subresource status (controller website writes it), got a kind without " +
      "it; a CustomResourceDefinition turns it on under spec.versions[].subresources",
    "expected authorization.k8s.io/v1 SelfSubjectAccessReview to offer list (controller odd lists it), " +
      "got a kind that offers create",
  ]);
});

test("a missing namespace is reported with the command that creates it", async () => {
  await using world = await World.start();
  const elsewhere = { ...deployments, namespaces: ["shop"] };
  expect(await world.problems([{ ...secrets, namespaces: ["default", "shop"] }, elsewhere])).toEqual([
    "expected namespace shop (controller website watches it; controller website owns it), got none; " +
      "create it first:\n    kubectl create namespace shop",
  ]);
});

test("a namespace that the user may not get counts as existing", async () => {
  await using world = await World.start();
  const client = forbidden(world.client, "/api/v1/namespaces/shop");
  expect(await world.check([{ ...secrets, namespaces: ["shop"] }], client)).toBe("fine");
});

test("one error lists everything that is missing", async () => {
  await using world = await World.start();
  const client = withPermissions(world.client, ({ verb }) => verb !== "watch");
  const outcome = await world.check([websites, { ...secrets, namespaces: ["shop"] }], client);
  expect(String(outcome)).toBe(
    "ConfigError: expected a usable configuration, got 4 problems:\n" +
      "- expected the server to have example.dev/v1 Website (controller website watches it), got no such kind; " +
      "install it first:\n    kubectl apply -f <the file of CustomResourceDefinition websites.example.dev>\n" +
      "- expected namespace shop (controller website watches it), got none; create it first:\n" +
      "    kubectl create namespace shop\n" +
      "- expected admin to have permission to watch websites.example.dev in the whole cluster " +
      "(controller website watches it), got none; a ClusterRole that is bound to it needs this rule:\n" +
      '    - apiGroups: ["example.dev"]\n      resources: ["websites"]\n      verbs: ["watch"]\n' +
      "- expected admin to have permission to watch secrets in namespace shop (controller website watches it), " +
      "got none; a Role of namespace shop that is bound to it needs this rule:\n" +
      '    - apiGroups: [""]\n      resources: ["secrets"]\n      verbs: ["watch"]',
  );
});

test("forbidden reviews are logged once, and preflight continues", async () => {
  await using world = await World.start();
  expect(await world.check([deployments, secrets], forbidden(world.client, "accessreviews"))).toBe("fine");
  const error =
    "expected success of POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews?fieldManager=trimtab, " +
    'got 403 Forbidden: User "clerk" cannot POST there';
  expect(world.logged).toEqual([
    { level: "warn", message: "cannot check all permissions", fields: { error } },
  ]);
});

test("forbidden discovery is logged, and permissions are still reviewed", async () => {
  await using world = await World.start();
  const client = withPermissions(world.client, () => false);
  const noDiscovery = between(client, (request, send) =>
    request.path === "/apis" ? refusal(request) : send(),
  );
  expect(await world.problems([{ ...secrets, verbs: ["list"] }], noDiscovery)).toEqual([
    expect.stringContaining("expected admin to have permission to list secrets in the whole cluster"),
  ]);
  expect(world.logged.map(({ message }) => message)).toEqual(["cannot check which kinds the server has"]);
});

test("checks without a response within five seconds are logged and count as passed", async () => {
  await using world = await World.start();
  const client = between(world.client, (request, send) =>
    request.path.includes("accessreviews") ? unanswered(request.signal) : send(),
  );
  expect(await world.check([deployments], client)).toBe("fine");
  expect(world.clock.monotonic()).toBe(5000);
  expect(world.logged.map(({ message }) => message)).toEqual(["cannot check all permissions"]);
});

test("a server that does not respond fails preflight within five seconds with its address", async () => {
  await using world = await World.start();
  const client = between(world.client, ({ signal }) => unanswered(signal));
  const { server } = client.transport;
  expect(String(await world.check([deployments], client))).toBe(
    `ConfigError: expected ${server} to list its kinds, got no response in time; ` +
      "check its address, whether it needs https, and proxies or firewalls in between",
  );
});

test("an unreachable server fails preflight immediately with the connection error", async () => {
  await using world = await World.start();
  const error = new ConnectionError("expected a response, got ECONNREFUSED", {
    code: "ECONNREFUSED",
    request: { method: "GET", path: "/apis" },
  });
  const client = between(world.client, () => Promise.reject(error));
  expect(await world.problems([deployments], client)).toEqual(["expected a response, got ECONNREFUSED"]);
  expect(world.clock.monotonic()).toBe(0);
});

test("rejected credentials give an error with a hint", async () => {
  await using world = await World.start();
  const client = between(world.client, async () => ({ status: 401, headers: {}, body: Buffer.alloc(0) }));
  expect(await world.problems([deployments], client)).toEqual([
    `expected ${client.transport.server} to accept the credentials, got 401 Unauthorized; ` +
      "the credentials of this context's user are invalid or have expired",
  ]);
});

test("preflight stops when its signal aborts", async () => {
  await using world = await World.start();
  const reason = new Error("received SIGTERM");
  const ended = new AbortController();
  const client = between(world.client, (request, send) => {
    if (!request.path.includes("accessreviews")) return send();
    ended.abort(reason);
    return unanswered(request.signal);
  });
  expect(await world.check([{ ...secrets, kind: ConfigMap }], client, { signal: ended.signal })).toBe(reason);
  expect(world.logged).toEqual([]);
});

function unanswered(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error); // every abort here has an error
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
