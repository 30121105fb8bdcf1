import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { ConfigMap, Namespace } from "trimtab/api/core/v1";
import { ConnectionError, connect, retryOnConflict } from "trimtab/client";
import { lean } from "../expected-event.ts";
import { scenario } from "../scenario.ts";

/** Returns the reason why a call did not reach the server. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ConnectionError ? { code: error.code, message: error.message } : error;
}

/** Returns a port on which no process listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

scenario("an unreachable server is an error that names it", async ({ cluster, expect }) => {
  const server = `https://127.0.0.1:${await freePort()}`;
  await using client = await connect({ kubeconfig: cluster.kubeconfig, server });
  expect(await failure(client.get(Namespace, "default"))).toEqual({
    code: "ECONNREFUSED",
    message: expect.stringMatching(
      `^expected a response to GET /api/v1/namespaces/default from ${server}, got .*nothing listens at this address; is the API server running\\?`,
    ),
  });
});

scenario("a server certificate of another authority is not trusted", async ({ cluster, expect }) => {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const certificateAuthority = join(folder, "ca.pem");
    await writeFile(certificateAuthority, rootCertificates[0] ?? "");
    await using client = await connect({ kubeconfig: cluster.kubeconfig, certificateAuthority });
    expect(await failure(client.get(Namespace, "default"))).toEqual({
      code: expect.stringMatching(/CERT|VERIFY/),
      message: expect.stringContaining("its certificate is not trusted; is certificate-authority"),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

scenario("sixteen concurrent requests succeed", async ({ client, expect }) => {
  const names = Array.from({ length: 16 }, (_, index) => `n${String(index).padStart(2, "0")}`);
  const created = await Promise.all(names.map((name) => client.create(ConfigMap, { metadata: { name } })));
  const read = await Promise.all(names.map((name) => client.get(ConfigMap, name)));
  expect(read).toEqual(created);
  expect(await client.list(ConfigMap)).toEqual(created.map(lean));
});

scenario("writers that retry after a conflict lose no update", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "counter" }, data: { count: "0" } });
  const increment = async (): Promise<void> => {
    const counter = await client.get(ConfigMap, "counter");
    if (!counter) throw new Error("expected the counter, got nothing");
    await client.update(ConfigMap, { ...counter, data: { count: String(Number(counter.data?.count) + 1) } });
  };
  await Promise.all(Array.from({ length: 5 }, () => retryOnConflict(increment, { tries: 100 })));
  expect((await client.get(ConfigMap, "counter"))?.data).toEqual({ count: "5" });
});
