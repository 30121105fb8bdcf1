import { join } from "node:path";
import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../../base/index.ts";
import { authority } from "../certificates.fixture.ts";
import { loadConfig } from "./load-config.ts";
import type { LoadOptions } from "./load-options.ts";
import { type TempFolder, tempFolder } from "./temp-folder.fixture.ts";

async function serviceAccount(files: Readonly<Record<string, string>>): Promise<TempFolder> {
  const folder = await tempFolder();
  for (const [name, text] of Object.entries(files)) await folder.write(name, text);
  return folder;
}

function inPod(folder: TempFolder, options: LoadOptions = {}): LoadOptions {
  const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "6443", ...options.env };
  return { serviceAccountDir: folder.path, homeDir: folder.path, ...options, env };
}

const complete = { token: "pod-token\n", "ca.crt": authority, namespace: "shop\n" };

test("a Pod uses its service account, with the mounted token, certificate authority and namespace", async () => {
  await using folder = await serviceAccount(complete);
  const { identity, ...config } = await loadConfig(inPod(folder));
  expect(config).toEqual({
    server: "https://10.96.0.1:6443",
    namespace: "shop",
    origin: "in-cluster service account",
  });
  expect(await identity.current()).toEqual({
    headers: { authorization: "Bearer pod-token" },
    tls: { ca: authority, insecure: false },
  });
});

test("an IPv6 host is put in brackets", async () => {
  await using folder = await serviceAccount(complete);
  const { server } = await loadConfig(inPod(folder, { env: { KUBERNETES_SERVICE_HOST: "fd00::1" } }));
  expect(server).toBe("https://[fd00::1]:6443");
});

test("the namespace comes from the option, POD_NAMESPACE, the mounted file, or is default", async () => {
  await using folder = await serviceAccount(complete);
  await using bare = await serviceAccount({ token: "t", "ca.crt": authority });
  const env = { POD_NAMESPACE: "named" };
  const namespaces = await Promise.all([
    loadConfig(inPod(folder, { env, namespace: "given" })),
    loadConfig(inPod(folder, { env })),
    loadConfig(inPod(folder)),
    loadConfig(inPod(bare)),
  ]);
  expect(namespaces.map(({ namespace }) => namespace)).toEqual(["given", "named", "shop", "default"]);
});

test("without a readable certificate authority, Node's authorities are used and an error is logged", async () => {
  await using folder = await serviceAccount({ token: "t" });
  const entries: LogEntry[] = [];
  const { identity } = await loadConfig(inPod(folder, { log: loggerTo((entry) => entries.push(entry)) }));
  expect((await identity.current()).tls).toEqual({ insecure: false });
  expect(entries.map(({ level, fields }) => [level, fields.file])).toEqual([
    ["error", join(folder.path, "ca.crt")],
  ]);
});

test("a Pod without a token has no in-cluster configuration", async () => {
  await using folder = await serviceAccount({ "ca.crt": authority });
  await expect(loadConfig(inPod(folder))).rejects.toThrow(
    `- the Pod's service account: expected a readable token in ${join(folder.path, "token")}, got ENOENT`,
  );
});

test("server, token and certificate authority options apply in a Pod, too", async () => {
  await using folder = await serviceAccount({ ...complete, other: authority });
  const { server, identity } = await loadConfig(
    inPod(folder, { server: "https://other", token: "given", insecureSkipTlsVerify: true }),
  );
  expect(server).toBe("https://other");
  expect(await identity.current()).toEqual({
    headers: { authorization: "Bearer given" },
    tls: { insecure: true },
  });
});

test("a token that the kubelet renews is used within a minute", async () => {
  await using folder = await serviceAccount(complete);
  const clock = new VirtualClock();
  const { identity } = await loadConfig(inPod(folder, { clock }));
  const first = await identity.current();

  await folder.write("token", "renewed");
  await clock.advance(50_000);
  const second = await identity.current();

  expect(second.headers).toEqual({ authorization: "Bearer renewed" });
  expect(second.tls).toBe(first.tls);
});
