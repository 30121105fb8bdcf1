import { expect, test } from "vitest";
import { requiredAccess } from "./required-access.ts";
import { webhook } from "./webhook.ts";
import { webhookSetup } from "./webhook-setup.ts";
import { hostsOf, targetOf, withPort } from "./webhook-target.ts";
import { Website } from "./website.fixture.ts";

const admission = webhook(Website, { validate() {} });

test("a Service is reached by its names, a URL by its host", () => {
  const service = targetOf({ service: { name: "site" } }, "web");
  expect(service).toEqual({ type: "service", name: "site", namespace: "web", port: 443 });
  expect(service && hostsOf(service)).toEqual(["site.web.svc", "site.web.svc.cluster.local", "site.web"]);
  const url = targetOf({ url: "https://10.0.0.1:8443/hooks/" }, "web");
  expect(url).toEqual({ type: "url", url: "https://10.0.0.1:8443/hooks" });
  expect(url && hostsOf(url)).toEqual(["10.0.0.1"]);
});

test("port 0 of a URL is replaced by the port of the server", () => {
  expect(withPort({ type: "url", url: "https://127.0.0.1:0" }, 4711)).toEqual({
    type: "url",
    url: "https://127.0.0.1:4711",
  });
  expect(withPort({ type: "url", url: "https://127.0.0.1:1" }, 4711)).toEqual({
    type: "url",
    url: "https://127.0.0.1:1",
  });
});

test.each([
  [
    {},
    "expected webhookServer.service or webhookServer.url, got neither; in a cluster, set service: { name }",
  ],
  [{ registration: "none" }, "expected webhookServer.service or webhookServer.url, got neither"],
  [
    { service: { name: "a" }, url: "https://a" },
    "expected either webhookServer.service or webhookServer.url, got both",
  ],
  [{ url: "http://a" }, 'to be an https address without user, query and fragment, got "http://a"'],
  [{ url: "nonsense" }, 'got "nonsense"'],
  [{ url: "https://[::1]:1" }, "expected webhookServer.name with a url of the address ::1, got none"],
] as const)("the options %j are refused", (options, message) => {
  expect(() => webhookSetup([admission], options, "web")).toThrow(message);
});

test("files without registration need no address", () => {
  const certificates = { certFile: "tls.crt", keyFile: "tls.key" };
  expect(requiredAccess(webhookSetup([admission], { certificates, registration: "none" }, "web"))).toEqual(
    [],
  );
});

test("the required access is exactly what the options take", () => {
  const access = (options: Parameters<typeof webhookSetup>[1]): string[] =>
    requiredAccess(webhookSetup([admission], options, "web")).map(
      ({ kind, verbs, name, namespaces = [] }) =>
        `${verbs.join()} ${kind.plural} ${name} ${namespaces.join()}`,
    );
  const service = { name: "site" };
  const certificates = { certFile: "tls.crt", keyFile: "tls.key" };
  expect(access({ service })).toEqual([
    "get,create,update secrets site-webhook-certificates web",
    "get,create,patch validatingwebhookconfigurations site.web ",
  ]);
  expect(access({ service, certificates, registration: "bundle" })).toEqual([
    "get,patch validatingwebhookconfigurations site.web ",
  ]);
  expect(access({ url: "https://a.b", certificates, registration: "temporary", name: "mine" })).toEqual([
    "get,create,patch,delete validatingwebhookconfigurations mine ",
  ]);
});
