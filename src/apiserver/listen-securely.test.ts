import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { expect, test } from "vitest";
import { createAuthority } from "../certificates/index.ts";
import { type ApiServerOptions, createApiServer } from "./api-server.ts";
import { anonymous } from "./authentication.ts";
import { listenSecurely, type SecureListener } from "./listen-securely.ts";

const ana = { username: "ana", uid: "1", groups: ["readers", "system:authenticated"] };
const withAna: ApiServerOptions = { users: new Map([["secret", ana]]) };

interface TestFront extends AsyncDisposable {
  readonly front: SecureListener;
  /** Who the server takes a request for: the user of a review of oneself, or the code it is refused with. */
  who(options?: RequestOptions): Promise<unknown>;
}

async function started(options: ApiServerOptions = withAna): Promise<TestFront> {
  const server = createApiServer(options);
  const front = await listenSecurely(server, { authenticator: server.authenticator });
  return {
    front,
    who: (sent = {}) => whoIs(front, sent),
    async [Symbol.asyncDispose]() {
      server.close();
      await front.close();
    },
  };
}

async function whoIs({ url, ca }: SecureListener, sent: RequestOptions): Promise<unknown> {
  const request = httpsRequest(`${url}${reviews}`, { method: "POST", ca, agent: false, ...sent });
  request.end(review);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const answer = JSON.parse(Buffer.concat(await response.toArray()).toString());
  return answer.status?.userInfo ?? response.statusCode;
}

const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const review = JSON.stringify({ kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" });
const bearing = (text: string): RequestOptions => ({ headers: { authorization: text } });

test("a bearer token is one of its users, however the word is written", async () => {
  await using server = await started();
  expect(await server.who(bearing("Bearer secret"))).toEqual(ana);
  expect(await server.who(bearing("bearer secret"))).toEqual(ana);
  expect(await server.who(bearing("Bearer secret and more"))).toEqual(ana);
});

test.each(["Bearer wrong", "Bearer ", "Bearer", "Bearer  secret", "Basic c2VjcmV0", "secret"])(
  "where users are known, who shows %j is unauthorized",
  async (text) => {
    await using server = await started();
    expect(await server.who(bearing(text))).toBe(401);
  },
);

test("who shows nothing is nobody, somebody anonymous, or without users the administrator", async () => {
  await using strict = await started();
  await using lenient = await started({ ...withAna, guest: anonymous });
  await using open = await started({});
  expect([await strict.who(), await lenient.who(), await open.who()]).toEqual([
    401,
    { username: "system:anonymous", groups: ["system:unauthenticated"] },
    { username: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] },
  ]);
});

test("a wrong token is refused also where none is needed", async () => {
  await using open = await started({});
  expect(await open.who(bearing("Bearer wrong"))).toBe(401);
});

test("a client certificate is its common name in the groups of its organizations, before any token", async () => {
  await using server = await started();
  const certificate = server.front.certificateFor({ commonName: "cora", organizations: ["g1", "g2"] });
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

test("a certificate that counts for nothing is refused, unless a token does", async () => {
  await using server = await started({});
  const foreign = createAuthority("trimtab").client({ commonName: "mallory" });
  expect(await server.who(foreign)).toBe(401);
  await using known = await started();
  expect(await known.who({ ...foreign, ...bearing("Bearer secret") })).toEqual(ana);
});

test("a certificate without a name is as none", async () => {
  await using server = await started();
  const nameless = server.front.certificateFor({ commonName: "", organizations: ["system:masters"] });
  expect(await server.who(nameless)).toBe(401);
});

test("requests of one HTTP/2 connection are answered side by side, certificates and groups heeded", async () => {
  await using server = await started();
  const { url, ca, certificateFor } = server.front;
  const session = connectHttp2(url, { ca, ...certificateFor({ commonName: "cora" }) });
  const ask = async (headers: Record<string, string | string[]>): Promise<unknown> => {
    const stream = session.request({ ":method": "POST", ":path": reviews, ...headers });
    stream.end(review);
    const answer = JSON.parse(Buffer.concat(await stream.toArray()).toString());
    return [answer.status.userInfo.username, answer.status.userInfo.groups];
  };
  const answers = await Promise.all([
    ask({}),
    ask({ "impersonate-user": "bob", "impersonate-group": ["a, b", "c"] }),
  ]);
  session.destroy();
  expect(answers).toEqual([
    ["cora", ["system:authenticated"]],
    ["bob", ["a, b", "c", "system:authenticated"]],
  ]);
});

test("it is trusted by who trusts its authority, under the names it has and no other", async () => {
  await using server = await started({});
  const { url, ca } = server.front;
  const port = Number(new URL(url).port);
  const named = (servername: string): Promise<unknown> =>
    whoIs({ ...server.front, url }, { servername, port });
  expect(await named("localhost")).toMatchObject({ username: "admin" });
  await expect(named("elsewhere.example.dev")).rejects.toThrow("does not match certificate");
  await expect(whoIs({ ...server.front, ca: createAuthority("trimtab").cert }, {})).rejects.toThrow(
    /certificate/,
  );
  expect(ca).toContain("BEGIN CERTIFICATE");
});

test("on every address it listens for users alone, and is reached on loopback", async () => {
  const open = createApiServer({});
  await expect(listenSecurely(open, { host: "0.0.0.0", authenticator: open.authenticator })).rejects.toThrow(
    "open to anybody",
  );
  open.close();
  const server = createApiServer(withAna);
  const { authenticator } = server;
  await using front = await listenSecurely(server, { host: "0.0.0.0", hosts: ["kube.test"], authenticator });
  expect(await whoIs(front, bearing("Bearer secret"))).toEqual(ana);
  expect(await whoIs(front, { ...bearing("Bearer secret"), servername: "kube.test" })).toEqual(ana);
  server.close();
});
