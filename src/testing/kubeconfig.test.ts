import { expect, test } from "vitest";
import { parse } from "yaml";
import { kubeconfigText } from "./kubeconfig.ts";

test("a kubeconfig names one server, its certificates and one user's token", () => {
  const text = kubeconfigText({
    server: "https://127.0.0.1:6443",
    ca: "PEM",
    user: "alice",
    token: "secret",
  });
  expect(parse(text)).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "trimtab",
        cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": "UEVN" },
      },
    ],
    users: [{ name: "alice", user: { token: "secret" } }],
    contexts: [{ name: "trimtab", context: { cluster: "trimtab", user: "alice", namespace: "default" } }],
    "current-context": "trimtab",
  });
});
