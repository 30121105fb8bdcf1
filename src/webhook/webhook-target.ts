import { isIP } from "node:net";
import type { WebhookClientConfig } from "../api/types/admissionregistration/v1.ts";
import { ConfigError } from "../client/index.ts";
import type { WebhookServerOptions } from "./server-options.ts";

/** The address at which API servers reach a webhook server. */
export type WebhookTarget =
  | {
      readonly type: "service";
      readonly name: string;
      readonly namespace: string;
      readonly port: number;
    }
  | { readonly type: "url"; readonly url: string };

/**
 * Returns the address of the options, or `undefined` if they have none and need none.
 *
 * @throws {ConfigError} if the options need an address and have none, or an invalid one
 */
export function targetOf(options: WebhookServerOptions, clientNamespace: string): WebhookTarget | undefined {
  const { service, url, registration = "managed", certificates = "managed" } = options;
  if (service && url !== undefined) {
    throw new ConfigError("expected either webhookServer.service or webhookServer.url, got both");
  }
  if (service) {
    const { name, namespace = clientNamespace, port = 443 } = service;
    return { type: "service", name, namespace, port };
  }
  if (url !== undefined) return { type: "url", url: checkedUrl(url) };
  if (registration === "none" && certificates !== "managed") return undefined;
  throw new ConfigError(
    "expected webhookServer.service or webhookServer.url, got neither; " +
      "in a cluster, set service: { name } to the Service of this program; elsewhere, set url to an https address that the " +
      'API server can reach; or set registration: "none" and certificates to files',
  );
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (url?.protocol === "https:" && plain) return text.replace(/\/+$/, "");
  throw new ConfigError(
    `expected webhookServer.url to be an https address without user, query and fragment, got ${JSON.stringify(text)}`,
  );
}

/** Returns the target with the port of the server, if its URL leaves it open with port 0. */
export function withPort(target: WebhookTarget, port: number): WebhookTarget {
  if (target.type === "service" || new URL(target.url).port !== "0") return target;
  const url = new URL(target.url);
  url.port = String(port);
  return { type: "url", url: url.href.replace(/\/+$/, "") };
}

/** Returns the host names that a certificate of the server must have. */
export function hostsOf(target: WebhookTarget): string[] {
  if (target.type === "url") return [hostOf(target.url)];
  const name = `${target.name}.${target.namespace}`;
  return [`${name}.svc`, `${name}.svc.cluster.local`, name];
}

/** Returns the default name of the webhook configurations, which is unique in a cluster. */
export function registrationName(target: WebhookTarget): string {
  if (target.type === "service") return `${target.name}.${target.namespace}`;
  const host = hostOf(target.url);
  if (isIP(host) !== 6) return host.toLowerCase();
  throw new ConfigError(`expected webhookServer.name with a url of the address ${host}, got none`);
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Returns the client configuration of a path. */
export function clientConfigOf(
  target: WebhookTarget,
  path: string,
  bundle: string | undefined,
): WebhookClientConfig {
  const ca = bundle === undefined ? {} : { caBundle: Buffer.from(bundle).toString("base64") };
  if (target.type === "url") return { url: `${target.url}${path}`, ...ca };
  const { name, namespace, port } = target;
  return { service: { name, namespace, port, path }, ...ca };
}

/** Returns true if a client configuration leads to this target. */
export function leadsTo(target: WebhookTarget, { service, url }: WebhookClientConfig): boolean {
  if (target.type === "url") return url?.startsWith(`${target.url}/`) ?? false;
  return service?.name === target.name && service.namespace === target.namespace;
}
