import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { ServiceAccountTokens, type TokenClaims } from "../auth/service-account-tokens.ts";
import { requestPath } from "./path-requests.fixture.ts";

test("the OpenID configuration names the issuer of service account tokens and the address of its keys", async () => {
  const response = await requestPath("/.well-known/openid-configuration");
  expect(response).toMatchObject({
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "public, max-age=3600" },
  });
  expect(JSON.parse(String(response?.body))).toEqual({
    issuer: "https://kubernetes.default.svc",
    jwks_uri: "https://127.0.0.1:6443/openid/v1/jwks",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  });
});

test("a token is verified by the key with its key id", async () => {
  const tokens = new ServiceAccountTokens();
  // Only the signature is checked here.
  const token = tokens.sign({ sub: "subject" } as TokenClaims);
  const response = await requestPath("/openid/v1/jwks", { context: { tokens } });
  expect(response?.headers["content-type"]).toBe("application/jwk-set+json");
  const { keys } = JSON.parse(String(response?.body));
  expect(keys).toEqual([
    {
      use: "sig",
      kty: "EC",
      kid: JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid,
      crv: "P-256",
      alg: "ES256",
      x: expect.any(String),
      y: expect.any(String),
    },
  ]);
  const [header, body, signature = ""] = token.split(".");
  const key = { key: createPublicKey({ key: keys[0], format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
  expect(verify("sha256", Buffer.from(`${header}.${body}`), key, Buffer.from(signature, "base64url"))).toBe(
    true,
  );
});

test.each([
  ["/openid/v1/jwks", { method: "POST" }, "MethodNotAllowed"],
  ["/openid/v1/jwks", { headers: { accept: "application/json" } }, "NotAcceptable"],
  ["/openid/v1/jwks/more", {}, "NotFound"],
  ["/.well-known/openid-configuration", { headers: { accept: "text/html" } }, "NotAcceptable"],
])("%s with %j is rejected with %s", async (path, options, reason) => {
  await expect(requestPath(path, options)).rejects.toMatchObject({ reason });
});
