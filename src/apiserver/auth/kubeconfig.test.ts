import { expect, test } from "vitest";
import { parse } from "yaml";
import { kubeconfigText, type UserCredential } from "./kubeconfig.ts";

test.each<[UserCredential, object]>([
  [{ type: "token", token: "secret" }, { token: "secret" }],
  [
    { type: "certificate", cert: "CERT", key: "KEY" },
    { "client-certificate-data": "Q0VSVA==", "client-key-data": "S0VZ" },
  ],
])("a kubeconfig has one server, its CA and one user with the credential %j", (credential, user) => {
  const server = "https://127.0.0.1:6443";
  expect(parse(kubeconfigText({ server, ca: "PEM", user: "alice", credential }))).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "trimtab", cluster: { server, "certificate-authority-data": "UEVN" } }],
    users: [{ name: "alice", user }],
    contexts: [{ name: "trimtab", context: { cluster: "trimtab", user: "alice", namespace: "default" } }],
    "current-context": "trimtab",
  });
});
