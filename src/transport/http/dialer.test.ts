import type { ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import { expect, test } from "vitest";
import { settled } from "../../base/index.ts";
import { authority, client } from "../certificates.fixture.ts";
import type { TlsMaterial } from "../config/cluster-config.ts";
import {
  gate,
  httpServer,
  type LocalServer,
  reply,
  type TransportSetup,
  tcpServer,
  transportTo,
} from "../local-server.fixture.ts";
import { type ApiRequest, readAll, type Transport } from "../transport.ts";
import { ConnectionError, isReset, isTimeout } from "./connection-error.ts";
import { Dialer } from "./dialer.ts";
import { connectProxy, socks5Proxy } from "./proxies.fixture.ts";
import { elsewhereServer, localServer, oldServer, serversAuthority } from "./servers.fixture.ts";

const pods: ApiRequest = { method: "GET", path: "/api/v1/pods" };
const trusting: TlsMaterial = { ca: serversAuthority, insecure: false };

/** Returns the error of `send` and `open`, which has to be the same. */
async function failureOf(transport: Transport): Promise<ConnectionError> {
  const [sent, opened] = await Promise.allSettled([transport.send(pods), transport.open(pods)]);
  if (sent.status !== "rejected" || opened.status !== "rejected")
    return expect.fail("expected failures, got a response");
  expect(sent.reason).toBeInstanceOf(ConnectionError);
  expect(String(opened.reason)).toBe(String(sent.reason));
  return sent.reason as ConnectionError;
}

const echo = (): Promise<LocalServer> =>
  httpServer((request, response) => reply(response, request.url), localServer);

test.each([
  { title: "an address in the certificate", host: "127.0.0.1", server: localServer, tls: trusting },
  { title: "a name in the certificate", host: "localhost", server: localServer, tls: trusting },
  {
    title: "tls-server-name",
    host: "127.0.0.1",
    server: elsewhereServer,
    tls: { ...trusting, serverName: "elsewhere.example" },
  },
  { title: "insecure", host: "127.0.0.1", server: oldServer, tls: { insecure: true } },
])("a server is trusted by $title", async ({ host, server: certificate, tls }) => {
  const server = await httpServer((_, response) => reply(response, "hello"), certificate);
  const transport = transportTo(server, { tls, host });
  const response = await transport.send(pods);
  const opened = await transport.open(pods);
  expect([response.body.toString(), (await readAll(opened, 100)).toString()]).toEqual(['"hello"', '"hello"']);
});

test.each([
  {
    title: "of an unknown authority",
    certificate: localServer,
    tls: { ca: authority, insecure: false },
    code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    look: "its certificate is not trusted; is certificate-authority the right one for this cluster?",
  },
  {
    title: "of an authority that Node does not trust",
    certificate: localServer,
    tls: { insecure: false },
    code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    look: "its certificate is not trusted; is certificate-authority the right one for this cluster?",
  },
  {
    title: "that has expired",
    certificate: oldServer,
    tls: trusting,
    code: "CERT_HAS_EXPIRED",
    look: "the server's certificate has expired",
  },
  {
    title: "for another name",
    certificate: elsewhereServer,
    tls: trusting,
    code: "CERT_FOR_ANOTHER_NAME",
    look: "its certificate is for another name; is tls-server-name needed?",
  },
])("a certificate $title is an error that names the problem", async ({ certificate, tls, code, look }) => {
  const server = await httpServer((_, response) => reply(response), certificate);
  const transport = transportTo(server, { tls });
  const error = await failureOf(transport);
  expect([error.code, error.request]).toEqual([code, { method: "GET", path: "/api/v1/pods" }]);
  expect(error.message).toContain(`expected a response to GET /api/v1/pods from ${transport.server}, got `);
  expect(error.message).toContain(`: ${look} (server from a test)`);
});

test("https to an http server is an error that names the problem", async () => {
  const server = await httpServer((_, response) => reply(response));
  const error = await failureOf(transportTo(server, { tls: trusting }));
  expect(error.message).toContain(
    "got ERR_SSL_WRONG_VERSION_NUMBER (wrong version number): the server does not speak TLS; should its URL begin with http:?",
  );
});

test("http to an https server is an error", async () => {
  const server = await echo();
  const error = await failureOf(transportTo(server, { scheme: "http" }));
  expect(error.message).toMatch(
    /^expected a response to GET \/api\/v1\/pods from http:\/\/127\.0\.0\.1:\d+, got .* \(server from a test\)$/,
  );
});

test("a refused connection is an error that names the problem", async () => {
  const server = await echo();
  const { port } = server;
  await server.close();
  const error = await failureOf(transportTo({ port }, { scheme: "http" }));
  expect(error.message).toBe(
    `expected a response to GET /api/v1/pods from http://127.0.0.1:${port}, got connect ECONNREFUSED 127.0.0.1:${port}: ` +
      "nothing listens at this address; is the API server running? (server from a test)",
  );
});

test("a server without a TLS handshake is a timeout", {
  timeout: 10_000,
}, async () => {
  const server = await tcpServer((socket) => void socket.resume());
  const error = await failureOf(transportTo(server, { tls: trusting, connectTimeoutMs: 100 }));
  expect(error.code).toBe("UND_ERR_CONNECT_TIMEOUT");
  await server.until(0);
});

test("a client certificate is presented, and parsed once for all connections", async () => {
  const server = await httpServer(
    (request, response) => reply(response, (request.socket as TLSSocket).getPeerCertificate().subject.CN),
    { ...localServer, ca: authority, requestCert: true, rejectUnauthorized: true },
  );
  const transport = transportTo(server, { tls: { ...trusting, ...client } });
  const responses = await Promise.all([transport.send(pods), transport.send(pods)]);
  expect([responses.map(({ body }) => body.toString()), server.accepted]).toEqual([['"jane"', '"jane"'], 2]);
});

test("an unreadable key is an error", async () => {
  const server = await echo();
  const error = await failureOf(
    transportTo(server, { tls: { ...trusting, cert: client.cert, key: "no key" } }),
  );
  expect(error.message).toContain(": a certificate or key cannot be read; is it PEM? (server from a test)");
});

test("if no connection can be opened, requests beyond the connection limit fail, too", async () => {
  for (const certificate of [elsewhereServer, oldServer]) {
    const server = await httpServer((_, response) => reply(response), certificate);
    const transport = transportTo(server, { tls: trusting, connections: 2 });
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => transport.send(pods)));
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "rejected"));
  }
});

const proxies = {
  http: () => connectProxy(),
  https: () => connectProxy(200, localServer),
  socks5: () => socks5Proxy(),
};

test.each<{ proxy: keyof typeof proxies; server: string; setup: TransportSetup }>([
  { proxy: "http", server: "http", setup: {} },
  { proxy: "http", server: "https", setup: { tls: trusting } },
  { proxy: "https", server: "https", setup: { tls: trusting } },
  { proxy: "socks5", server: "http", setup: {} },
  { proxy: "socks5", server: "https", setup: { tls: trusting } },
])("a $proxy proxy carries requests and streams to an $server server", async ({ proxy, setup }) => {
  const theirs = gate<ServerResponse>();
  const server = await httpServer(
    (request, response) => (request.url === "/stream" ? theirs.pass(response) : reply(response, request.url)),
    setup.tls && localServer,
  );
  const { host, requests, server: between } = await proxies[proxy]();
  const transport = transportTo(server, { ...setup, proxyUrl: `${proxy}://${host}` });
  for (const path of ["/one", "/two"]) {
    expect((await transport.send({ method: "GET", path })).body.toString()).toBe(`"${path}"`);
    await settled(); // until undici has released the connection
  }
  const opening = transport.open({ method: "GET", path: "/stream" });
  (await theirs.passed).writeHead(200).write("streamed");
  const opened = await opening;
  const come = gate<string>();
  opened.receive({ onChunk: (chunk) => come.pass(chunk.toString()), onEnd() {}, onError() {} });
  expect(await come.passed).toBe("streamed");
  expect(requests).toEqual([`127.0.0.1:${server.port}`, `127.0.0.1:${server.port}`]);
  opened.close();
  await between.until(1);
  await transport.close();
  await Promise.all([between.until(0), server.until(0)]);
});

test("a dialer that is closed while it connects to a proxy opens no connection", async () => {
  const { host, server } = await connectProxy();
  const target = { hostname: "127.0.0.1", host: "127.0.0.1:1", protocol: "http:", port: "1" };
  const options = { tls: undefined, proxyUrl: `http://${host}`, timeoutMs: 30_000, target, buildConnector };
  const dialer = new Dialer(options);
  const outcome = new Promise<unknown>((resolve) => dialer.connect(target, (...[error]) => resolve(error)));
  dialer.close();
  expect(String(await outcome)).toContain("The client is destroyed");
  expect(server.accepted).toBe(0);
});

test.each([
  { host: "kubernetes.example", requested: "kubernetes.example" },
  { host: "[2001:db8::1]", requested: "[20010db8000000000000000000000001]" },
  { host: "[::1]", requested: "[00000000000000000000000000000001]" },
])("SOCKS5 requests the host $host", async ({ host, requested }) => {
  const server = await httpServer((_, response) => reply(response));
  const { host: proxy, requests } = await socks5Proxy();
  await transportTo(server, { host, proxyUrl: `socks5://${proxy}` }).send(pods);
  expect(requests).toEqual([`${requested}:${server.port}`]);
});

test.each(["kubernetes.example", "[2001:db8::1]"])("CONNECT requests the host %s", async (host) => {
  const server = await httpServer((_, response) => reply(response));
  const { host: proxy, requests } = await connectProxy();
  await transportTo(server, { host, proxyUrl: `http://${proxy}` }).send(pods);
  expect(requests).toEqual([`${host}:${server.port}`]);
});

test("the certificates of an https proxy and of the server are checked for their own names", async () => {
  const server = await httpServer((_, response) => reply(response), elsewhereServer);
  const { host, requests } = await connectProxy(200, localServer);
  const transport = transportTo(server, {
    tls: trusting,
    host: "elsewhere.example",
    proxyUrl: `https://${host}`,
  });
  expect([(await transport.send(pods)).status, requests]).toEqual([
    200,
    [`elsewhere.example:${server.port}`],
  ]);
});

test("the user and password of its URL are sent to a proxy", async () => {
  const server = await httpServer((_, response) => reply(response));
  const [plain, socks] = [await connectProxy(), await socks5Proxy({ credentials: "jane:p@ss" })];
  await transportTo(server, { proxyUrl: `http://jane:p%40ss@${plain.host}` }).send(pods);
  await transportTo(server, { proxyUrl: `http://token@${plain.host}` }).send(pods);
  await transportTo(server, { proxyUrl: `socks5://jane:p%40ss@${socks.host}` }).send(pods);
  expect([plain.requests, socks.requests]).toEqual([
    [`127.0.0.1:${server.port} as jane:p@ss`, `127.0.0.1:${server.port} as token:`],
    ["jane:p@ss", `127.0.0.1:${server.port}`],
  ]);
});

test.each([
  {
    how: "responds with 407",
    make: () => connectProxy(407),
    url: "http://",
    got: "407 Proxy Authentication Required to CONNECT 127.0.0.1:6443",
  },
  {
    how: "responds with 403",
    make: () => connectProxy(403),
    url: "http://jane:secret@",
    got: "403 Forbidden to CONNECT 127.0.0.1:6443",
  },
  {
    how: "wants a password",
    make: () => socks5Proxy({ credentials: "a:b" }),
    url: "socks5://",
    got: "a demand for credentials",
  },
  {
    how: "wants another password",
    make: () => socks5Proxy({ credentials: "a:b" }),
    url: "socks5://jane:secret@",
    got: "a refusal of the user and password",
  },
  {
    how: "reaches no host",
    make: () => socks5Proxy({ status: 4 }),
    url: "socks5://",
    got: "no route to the host for 127.0.0.1:6443",
  },
  {
    how: "refuses in a way of its own",
    make: () => socks5Proxy({ status: 77 }),
    url: "socks5://",
    got: "refusal 77 for 127.0.0.1:6443",
  },
])("a proxy that $how is an error that names it, without its password", async ({ make, url, got }) => {
  const { host, server } = await make();
  const proxyUrl = `${url}${host}`;
  const error = await failureOf(transportTo({ port: 6443 }, { proxyUrl }));
  expect(error.message).toBe(
    `expected a response to GET /api/v1/pods from http://127.0.0.1:6443, got PROXY_REFUSED (${got} ` +
      `via the proxy ${proxyUrl.replace(/[^/]*@/, "")}): check proxyUrl (server from a test)`,
  );
  await server.until(0);
});

test.each(["http", "socks5"])("an unreachable %s proxy is an error that names it", async (scheme) => {
  const { host, server } = await connectProxy();
  await server.close();
  const error = await failureOf(transportTo({ port: 6443 }, { proxyUrl: `${scheme}://${host}` }));
  expect(error.message).toContain(
    `got connect ECONNREFUSED ${host} via the proxy ${scheme}://${host}: check proxyUrl (server from a test)`,
  );
});

test.each(["http", "socks5"])("a %s proxy that closes the connection is a reset", async (scheme) => {
  const server = await tcpServer((socket) => void socket.once("data", () => socket.end()));
  const error = await failureOf(
    transportTo({ port: 6443 }, { proxyUrl: `${scheme}://127.0.0.1:${server.port}` }),
  );
  expect([isReset(error), error.message.includes("via the proxy")], error.message).toEqual([true, true]);
});

test.each(["http", "socks5"])(
  "a %s proxy that does not respond is a timeout",
  { timeout: 10_000 },
  async (scheme) => {
    const server = await tcpServer((socket) => void socket.resume());
    const proxyUrl = `${scheme}://127.0.0.1:${server.port}`;
    const error = await failureOf(transportTo({ port: 6443 }, { proxyUrl, connectTimeoutMs: 100 }));
    expect([isTimeout(error), error.message.includes("via the proxy")], error.message).toEqual([true, true]);
    await server.until(0);
  },
);

test("a server that is not a SOCKS5 proxy is an error", async () => {
  const server = await httpServer((_, response) => reply(response));
  const error = await failureOf(
    transportTo({ port: 6443 }, { proxyUrl: `socks5://127.0.0.1:${server.port}` }),
  );
  expect(error.message).toContain(
    "got PROXY_REFUSED (a response that is not SOCKS5 (first byte 72) via the proxy",
  );
});

test("closing the transport ends connections that are being opened", async () => {
  const setups: TransportSetup[] = [{ tls: trusting }, {}, {}];
  const schemes = [undefined, "http", "socks5"];
  for (const [index, setup] of setups.entries()) {
    const server = await tcpServer((socket) => void socket.resume());
    const proxyUrl = schemes[index] && `${schemes[index]}://127.0.0.1:${server.port}`;
    const transport = transportTo(server, { ...setup, proxyUrl });
    const failed = failureOf(transport);
    await server.until(2);
    await transport.close();
    expect((await failed).code).toBe("UND_ERR_DESTROYED");
    await server.until(0);
  }
});

test.each<{ title: string; setup: TransportSetup; proxy?: string }>([
  { title: "without a proxy", setup: { tls: trusting } },
  { title: "through an http proxy", setup: {}, proxy: "http" },
  { title: "through a socks5 proxy", setup: {}, proxy: "socks5" },
])(
  "a stream that is aborted while it connects $title closes its connection",
  {
    timeout: 10_000,
  },
  async ({ setup, proxy }) => {
    const server = await tcpServer((socket) => void socket.resume());
    const proxyUrl = proxy && `${proxy}://127.0.0.1:${server.port}`;
    const abort = new AbortController();
    const transport = transportTo(server, { ...setup, proxyUrl, connectTimeoutMs: 600_000 });
    const opened = transport.open({ ...pods, signal: abort.signal });
    await server.until(1);
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(opened).rejects.toBe(reason);
    await server.until(0);
  },
);

test("closing the transport ends tunnels too", async () => {
  const server = await echo();
  const { host, server: between } = await socks5Proxy();
  const transport = transportTo(server, { tls: trusting, proxyUrl: `socks5://${host}` });
  await transport.send(pods);
  await transport.close();
  await Promise.all([between.until(0), server.until(0)]);
});
