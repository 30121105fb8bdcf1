import { expect, test } from "vitest";
import type { KubeObject } from "../../api/index.ts";
import { type TestServer, testServer } from "../requests.fixture.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";

/** Returns the status of a TokenReview. */
async function reviewed({ object }: TestServer, token: string): Promise<unknown> {
  const body = { kind: "TokenReview", apiVersion: "authentication.k8s.io/v1", spec: { token } };
  const { status } = await object("POST", "/apis/authentication.k8s.io/v1/tokenreviews", body);
  return status;
}

async function tokenOf({ object }: TestServer, account: string, spec: object = {}): Promise<string> {
  const body = { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", spec };
  const response = await object("POST", `${accounts}/${account}/token`, body);
  return (response.status as { token: string }).token;
}

const refused = (why: string): object => ({ user: {}, error: `[invalid bearer token, ${why}]` });
const robot = { metadata: { name: "robot" } };
const uidOf = ({ metadata }: KubeObject): string => metadata.uid;

test("a token is valid for the requested time", async () => {
  using server = testServer();
  await server.object("POST", accounts, robot);
  const token = await tokenOf(server, "robot", { expirationSeconds: 600 });
  await server.clock.advance(599_000);
  expect(await reviewed(server, token)).toMatchObject({ authenticated: true });
  await server.clock.advance(1_000);
  expect(await reviewed(server, token)).toEqual(refused("service account token has expired"));
});

test("a token is invalid after its service account is deleted or recreated", async () => {
  using server = testServer();
  const first = uidOf(await server.object("POST", accounts, robot));
  const token = await tokenOf(server, "robot");
  await server.object("DELETE", `${accounts}/robot`);
  expect(await reviewed(server, token)).toEqual(refused('serviceaccounts "robot" not found'));
  const second = uidOf(await server.object("POST", accounts, robot));
  const why = `service account UID (${second}) does not match claim (${first})`;
  expect(await reviewed(server, token)).toEqual(refused(why));
});

test("a token is invalid after its bound object is deleted or recreated", async () => {
  using server = testServer();
  await server.object("POST", accounts, robot);
  const secrets = "/api/v1/namespaces/default/secrets";
  const first = uidOf(await server.object("POST", secrets, { metadata: { name: "s" } }));
  const boundObjectRef = { kind: "Secret", apiVersion: "v1", name: "s" };
  const token = await tokenOf(server, "robot", { boundObjectRef });
  expect(await reviewed(server, token)).toMatchObject({ authenticated: true });
  await server.object("DELETE", `${secrets}/s`);
  expect(await reviewed(server, token)).toEqual(refused("service account token has been invalidated"));
  const second = uidOf(await server.object("POST", secrets, { metadata: { name: "s" } }));
  const why = `secret UID (${second}) does not match service account secret ref claim (${first})`;
  expect(await reviewed(server, token)).toEqual(refused(why));
});

test("a token of another server and a malformed token are not authenticated", async () => {
  using one = testServer();
  using other = testServer();
  await one.object("POST", accounts, robot);
  const token = await tokenOf(one, "robot");
  expect(await reviewed(other, token)).toEqual(refused("go-jose/go-jose: error in cryptographic primitive"));
  const malformed = { user: {}, error: "invalid bearer token" };
  for (const text of ["x", "a.b.c", "..", `${Buffer.from("null").toString("base64url")}.bnVsbA.x`]) {
    expect(await reviewed(other, text)).toEqual(malformed);
  }
});

test("a valid token with a fourth part, padding or foreign characters is not authenticated", async () => {
  using server = testServer();
  await server.object("POST", accounts, robot);
  const token = await tokenOf(server, "robot");
  const unknown = { user: {}, error: "invalid bearer token" };
  for (const text of [`${token}.`, `${token}.x`, `${token}=`, `${token}!`, `.${token}`]) {
    expect(await reviewed(server, text)).toEqual(unknown);
  }
  expect(await reviewed(server, token)).toMatchObject({ authenticated: true });
});

test("a TokenReview accepts the tokens of users", async () => {
  const ana = { username: "ana", groups: ["readers", "system:authenticated"] };
  using server = testServer({ users: new Map([["secret", ana]]) });
  expect(await reviewed(server, "secret")).toEqual({
    authenticated: true,
    user: ana,
    audiences: ["https://kubernetes.default.svc"],
  });
});
