import type { Socket } from "node:net";
import { expect, test } from "vitest";
import type { Service } from "../../api/types/core/v1.ts";
import { settled } from "../../base/index.ts";
import { type TestServer, testServer } from "../requests.fixture.ts";
import { type WebhookServer, webhookServer } from "./webhook-server.fixture.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const services = "/api/v1/namespaces/default/services";
const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/** Registers a validating webhook for a resource of the core group. */
async function register(
  api: TestServer,
  { caBundle, url }: Pick<WebhookServer, "caBundle" | "url">,
  { resource = "configmaps", ...more }: { resource?: string; clientConfig?: object } = {},
): Promise<void> {
  await api.object("POST", configurations, {
    metadata: { name: "test" },
    webhooks: [
      {
        name: "a.example.dev",
        clientConfig: { url, caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: [resource] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        ...more,
      },
    ],
  });
}

/** Starts a webhook that never answers. `called` resolves with its first call. */
async function silentServer(): Promise<WebhookServer & { readonly called: Promise<void> }> {
  let arrived = (): void => {};
  const called = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await webhookServer(() => {
    arrived();
    return new Promise<object>(() => {});
  });
  return Object.assign(server, { called });
}

test("a webhook times out by the clock of the server", async () => {
  using api = testServer();
  await using server = await silentServer();
  await register(api, server);
  const created = api.refusal("POST", configMaps, { metadata: { name: "a" } });
  await server.called;
  await api.clock.advance(10_000);
  expect(await created).toMatchObject({
    code: 500,
    message: `Internal error occurred: failed calling webhook "a.example.dev": failed to call webhook: Post "${server.url}/?timeout=10s": context deadline exceeded`,
  });
}, 5_000);

test("a request that ends before its webhook is refused with a timeout", async () => {
  using api = testServer();
  await using server = await silentServer();
  await register(api, server);
  const created = api.refusal("POST", `${configMaps}?timeout=2s`, { metadata: { name: "a" } });
  await server.called;
  await api.clock.advance(2_000);
  expect(await created).toMatchObject({
    code: 504,
    reason: "Timeout",
    message: "Timeout: request did not complete within requested timeout - context deadline exceeded",
  });
});

test("calls of a webhook share connections", async () => {
  using api = testServer();
  await using server = await webhookServer(() => ({ allowed: true }));
  await register(api, server);
  for (const name of ["a", "b", "c"]) await api.object("POST", configMaps, { metadata: { name } });
  expect(server.connections).toBe(1);
});

test("the webhook of a Service is called at its mapped address, with the name of the Service", async () => {
  const serviceAddresses = new Map<string, string>();
  using api = testServer({ serviceAddresses });
  await using server = await webhookServer(() => ({ allowed: false }), "hooks.default.svc");
  const service = { namespace: "default", name: "hooks", port: 8443, path: "/admit" };
  await register(api, server, { clientConfig: { service, caBundle: server.caBundle } });
  const send = async (): Promise<unknown> =>
    (await api.refusal("POST", configMaps, { metadata: { name: "a" } })).message;
  const url = "https://hooks.default.svc:8443/admit?timeout=10s";
  expect(await send()).toMatch(`Post "${url}": service "hooks" not found`);
  serviceAddresses.set("default/hooks:8443", `127.0.0.1:${server.port}`);
  expect(await send()).toBe('admission webhook "a.example.dev" denied the request without explanation');
});

test("Services that wait for webhooks at the same time get different addresses", async () => {
  using api = testServer();
  const waiting: Array<() => void> = [];
  await using server = await webhookServer(
    () =>
      new Promise<object>((resolve) => {
        waiting.push(() => resolve({ allowed: true }));
        if (waiting.length >= 2) for (const go of waiting) go();
      }),
  );
  await register(api, server, { resource: "services" });
  const spec = { clusterIP: "10.0.0.77", ports: [{ port: 80 }] };
  const requested = await Promise.all(
    ["a", "b"].map((name) => api.send("POST", services, { body: { metadata: { name }, spec } })),
  );
  expect(requested.map(({ code }) => code).sort()).toEqual([201, 422]);
  const created = await Promise.all(
    ["c", "d"].map((name) =>
      api.object("POST", services, { metadata: { name }, spec: { type: "NodePort", ports: [{ port: 80 }] } }),
    ),
  );
  const [one, other] = created.map((object) => (object as unknown as Service).spec);
  expect(one?.clusterIP).not.toBe(other?.clusterIP);
  expect(one?.ports?.[0]?.nodePort).not.toBe(other?.ports?.[0]?.nodePort);
});

test("a server without webhook configurations handles a write without waiting", async () => {
  using api = testServer();
  let done = false;
  const created = api.object("POST", configMaps, { metadata: { name: "a" } }).then(() => {
    done = true;
  });
  await settled();
  expect(done).toBe(true);
  await created;
});

test("a webhook that closes its connection after each response does not fail requests", async () => {
  using api = testServer();
  const sockets = new Set<Socket>();
  await using server = await webhookServer(() => ({ allowed: true }));
  await register(api, server);
  server.onConnection((socket) => sockets.add(socket));
  for (let count = 0; count < 20; count += 1) {
    await api.object("POST", configMaps, { metadata: { name: `c${count}` } });
    for (const socket of sockets) socket.destroy(); // the server does not know yet
    sockets.clear();
  }
});
