import { expect, test } from "vitest";
import type { FaultMatch } from "./fault-rule.ts";
import { requestOf } from "./faulty-server.fixture.ts";
import { requestMatches } from "./request-matches.ts";

const pods = "/api/v1/namespaces/shop/pods";
const deployments = "/apis/apps/v1/namespaces/shop/deployments";

test.each<[FaultMatch, string[]]>([
  [{}, ["list", "watch", "get", "create", "status", "patch", "all", "namespace", "version"]],
  [{ verb: "list" }, ["list", "all"]],
  [{ verb: "watch" }, ["watch"]],
  [{ verb: ["get", "create"] }, ["get", "create", "namespace"]],
  [{ resource: "pods" }, ["list", "watch", "get", "create", "all"]],
  [{ resource: "deployments" }, []],
  [{ resource: "deployments.apps" }, ["patch"]],
  [{ resource: "pods/status" }, ["status"]],
  [{ namespace: "shop" }, ["list", "watch", "get", "create", "status", "patch", "namespace"]],
  [{ name: "a" }, ["watch", "get", "create", "status"]],
  [{ name: "a", verb: "create" }, ["create"]],
  [{ userAgent: "oper" }, ["get"]],
  [{ userAgent: "oper", verb: "list" }, []],
])("%j matches %j", (match, expected) => {
  const requests = {
    list: requestOf("GET", `${pods}?limit=5`),
    watch: requestOf("GET", `${pods}?watch=true&fieldSelector=spec.nodeName%3Dn,metadata.name%3Da`),
    get: requestOf("GET", `${pods}/a`, { headers: { "user-agent": "operator/1.0" } }),
    create: requestOf("POST", pods, { body: { metadata: { name: "a" } } }),
    status: requestOf("PUT", `${pods}/a/status`),
    patch: requestOf("PATCH", `${deployments}/web`),
    all: requestOf("GET", "/api/v1/pods"),
    namespace: requestOf("GET", "/api/v1/namespaces/shop"),
    version: requestOf("GET", "/version"),
  };
  const matching = Object.entries(requests).filter(([, request]) => requestMatches(request, match));
  expect(matching.map(([name]) => name)).toEqual(expected);
});

test("an unreadable body and an undecodable path match no name", () => {
  const broken = { ...requestOf("POST", pods), body: Buffer.from("{") };
  const undecodable = { ...requestOf("GET", pods), path: "/api/v1/pods/%zz" };
  expect([broken, undecodable].map((request) => requestMatches(request, { name: "a" }))).toEqual([
    false,
    false,
  ]);
});
