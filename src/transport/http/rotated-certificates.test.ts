import { expect, test } from "vitest";
import { VirtualClock } from "../../base/index.ts";
import { authority, client, rotated } from "../certificates.fixture.ts";
import type { ClusterConfig } from "../config/cluster-config.ts";
import { configFrom } from "../config/find-config.ts";
import { parseKubeconfig } from "../config/kubeconfig.ts";
import { type TempFolder, tempFolder } from "../config/temp-folder.fixture.ts";
import { get, httpServer, reply, transportTo } from "../local-server.fixture.ts";
import { localServer, serversAuthority } from "./servers.fixture.ts";

/** Returns a transport with certificates in files, on a stopped clock. */
async function configIn(folder: TempFolder): Promise<ClusterConfig> {
  await folder.write("jane.crt", client.cert);
  await folder.write("jane.key", client.key);
  const text = `
current-context: dev
clusters: [{ name: dev, cluster: { server: "https://dev", certificate-authority: ca.crt } }]
users: [{ name: dev, user: { client-certificate: jane.crt, client-key: jane.key } }]
contexts: [{ name: dev, context: { cluster: dev, user: dev } }]
`;
  const kubeconfig = await parseKubeconfig(text, { file: `${folder.path}/config`, homeDir: folder.path });
  return configFrom(kubeconfig, { clock: new VirtualClock() });
}

test.each(["GET", "POST"] as const)(
  "a %s whose handshake fails is sent once more with a new certificate authority, at once",
  async (method) => {
    await using folder = await tempFolder();
    const server = await httpServer((_, response) => reply(response, { method }), localServer);
    await folder.write("ca.crt", authority);
    const { identity } = await configIn(folder);
    const transport = transportTo(server, { scheme: "https", identity });
    await expect(transport.send(get("/version", { method }))).rejects.toMatchObject({
      code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    });
    await folder.write("ca.crt", serversAuthority);
    expect((await transport.send(get("/version", { method }))).status).toBe(200);
  },
);

test("a watch whose handshake fails is opened with a new certificate authority, at once", async () => {
  await using folder = await tempFolder();
  const server = await httpServer((_, response) => reply(response), localServer);
  await folder.write("ca.crt", authority);
  const { identity } = await configIn(folder);
  await identity.current();
  await folder.write("ca.crt", serversAuthority);
  const response = await transportTo(server, { scheme: "https", identity }).open(get("/version"));
  response.close();
  expect(response.status).toBe(200);
});

test("after a failed handshake the client certificate is reloaded, too", async () => {
  await using folder = await tempFolder();
  await folder.write("ca.crt", authority);
  const { identity } = await configIn(folder);
  const before = await identity.current();
  await folder.write("jane.crt", rotated.cert);
  await folder.write("jane.key", rotated.key);
  expect((await identity.current()).tls?.cert).toBe(client.cert);
  expect(identity.handshakeFailed?.(before)).toBe(true);
  expect((await identity.current()).tls?.cert).toBe(rotated.cert);
});
