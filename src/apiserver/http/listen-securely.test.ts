import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { expect, test } from "vitest";
import { createAuthority } from "../../certificates/index.ts";
import { type ApiServerOptions, createApiServer } from "../api-server.ts";
import { anonymous } from "../auth/authentication.ts";
import { listenSecurely, type SecureListener } from "./listen-securely.ts";

const ana = { username: "ana", uid: "1", groups: ["readers", "system:authenticated"] };
const withAna: ApiServerOptions = { users: new Map([["secret", ana]]) };

interface TestFront extends AsyncDisposable {
  readonly listener: SecureListener;
  /** Returns the user of a SelfSubjectReview, or the status code of a refusal. */
  who(options?: RequestOptions): Promise<unknown>;
}

async function started(options: ApiServerOptions = withAna): Promise<TestFront> {
  const server = createApiServer(options);
  const listener = await listenSecurely(server, { authenticator: server.authenticator });
  return {
    listener,
    who: (sent = {}) => whoIs(listener, sent),
    async [Symbol.asyncDispose]() {
      server.close();
      await listener.close();
    },
  };
}

async function whoIs({ url, ca }: SecureListener, sent: RequestOptions): Promise<unknown> {
  const request = httpsRequest(`${url}${reviews}`, { method: "POST", ca, agent: false, ...sent });
  request.end(review);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const result = JSON.parse(Buffer.concat(await response.toArray()).toString());
  return result.status?.userInfo ?? response.statusCode;
}

const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const review = JSON.stringify({ kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" });
const bearing = (text: string): RequestOptions => ({ headers: { authorization: text } });

test("a bearer token authenticates its user; the scheme is case-insensitive", async () => {
  await using server = await started();
  expect(await server.who(bearing("Bearer secret"))).toEqual(ana);
  expect(await server.who(bearing("bearer secret"))).toEqual(ana);
  expect(await server.who(bearing("Bearer secret and more"))).toEqual(ana);
});

test.each(["Bearer wrong", "Bearer ", "Bearer", "Bearer  secret", "Basic c2VjcmV0", "secret"])(
  "with users, the Authorization header %j is unauthorized",
  async (text) => {
    await using server = await started();
    expect(await server.who(bearing(text))).toBe(401);
  },
);

test("a request without credentials is unauthorized, the guest, or without users the administrator", async () => {
  await using strict = await started();
  await using lenient = await started({ ...withAna, guest: anonymous });
  await using open = await started({});
  expect([await strict.who(), await lenient.who(), await open.who()]).toEqual([
    401,
    { username: "system:anonymous", groups: ["system:unauthenticated"] },
    { username: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] },
  ]);
});

test("an invalid token is refused even if none is needed", async () => {
  await using open = await started({});
  expect(await open.who(bearing("Bearer wrong"))).toBe(401);
});

test("a client certificate authenticates its common name with its organizations as groups, before any token", async () => {
  await using server = await started();
  const certificate = server.listener.certificateFor({ commonName: "cora", organizations: ["g1", "g2"] });
  const cora = {
    username: "cora",
    groups: ["g1", "g2", "system:authenticated"],
    extra: {
      "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)],
    },
  };
  expect(await server.who(certificate)).toEqual(cora);
  expect(await server.who({ ...certificate, ...bearing("Bearer wrong") })).toEqual(cora);
});

test("an untrusted certificate is refused unless there is a valid token", async () => {
  await using server = await started({});
  const foreign = createAuthority("trimtab").client({ commonName: "mallory" });
  expect(await server.who(foreign)).toBe(401);
  await using second = await started();
  expect(await second.who({ ...foreign, ...bearing("Bearer secret") })).toEqual(ana);
});

test("a certificate without a common name counts as no certificate", async () => {
  await using server = await started();
  const nameless = server.listener.certificateFor({ commonName: "", organizations: ["system:masters"] });
  expect(await server.who(nameless)).toBe(401);
});

test("requests of one HTTP/2 connection run in parallel and are authenticated by certificate and impersonation headers", async () => {
  await using server = await started();
  const { url, ca, certificateFor } = server.listener;
  const session = connectHttp2(url, { ca, ...certificateFor({ commonName: "cora" }) });
  const sendReview = async (headers: Record<string, string | string[]>): Promise<unknown> => {
    const stream = session.request({ ":method": "POST", ":path": reviews, ...headers });
    stream.end(review);
    const result = JSON.parse(Buffer.concat(await stream.toArray()).toString());
    return [result.status.userInfo.username, result.status.userInfo.groups];
  };
  const users = await Promise.all([
    sendReview({}),
    sendReview({ "impersonate-user": "bob", "impersonate-group": ["a, b", "c"] }),
  ]);
  session.destroy();
  expect(users).toEqual([
    ["cora", ["system:authenticated"]],
    ["bob", ["a, b", "c", "system:authenticated"]],
  ]);
});

test("the server certificate is valid for its own names and CA only", async () => {
  await using server = await started({});
  const { url, ca } = server.listener;
  const port = Number(new URL(url).port);
  const named = (servername: string): Promise<unknown> =>
    whoIs({ ...server.listener, url }, { servername, port });
  expect(await named("localhost")).toMatchObject({ username: "admin" });
  await expect(named("elsewhere.example.dev")).rejects.toThrow("does not match certificate");
  await expect(whoIs({ ...server.listener, ca: createAuthority("trimtab").cert }, {})).rejects.toThrow(
    /certificate/,
  );
  expect(ca).toContain("BEGIN CERTIFICATE");
});

test("on a wildcard address it needs users, and is reached on loopback", async () => {
  const open = createApiServer({});
  await expect(listenSecurely(open, { host: "0.0.0.0", authenticator: open.authenticator })).rejects.toThrow(
    "got one without authentication",
  );
  open.close();
  const server = createApiServer(withAna);
  const { authenticator } = server;
  await using listener = await listenSecurely(server, {
    host: "0.0.0.0",
    hosts: ["kube.test"],
    authenticator,
  });
  expect(await whoIs(listener, bearing("Bearer secret"))).toEqual(ana);
  expect(await whoIs(listener, { ...bearing("Bearer secret"), servername: "kube.test" })).toEqual(ana);
  server.close();
});
