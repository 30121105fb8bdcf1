import type { WebhookClientConfig } from "../../api/types/admissionregistration/v1.ts";

/** The address of a webhook, from a webhook configuration or a CustomResourceDefinition. */
export type ClientConfig = WebhookClientConfig;

/** The HTTPS endpoint of a webhook. */
export interface Endpoint {
  /** The URL without query. Errors name it. */
  readonly url: URL;
  /** The Service behind the URL. Absent for a webhook with a URL of its own. */
  readonly service?: ServiceReference | undefined;
  /** The trusted authorities in PEM. @default those of the system */
  readonly ca?: string | undefined;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Returns the endpoint of a validated client configuration. */
export function endpointOf({ url, service, caBundle }: ClientConfig): Endpoint {
  const ca = Buffer.from(caBundle ?? "", "base64")
    .toString()
    .trim();
  const trust = ca === "" ? {} : { ca };
  if (!service) return { url: urlOf(url ?? ""), ...trust };
  const { namespace, name, path = "", port = 443 } = service;
  const place = urlOf(`https://${name}.${namespace}.svc:${port}${path.startsWith("/") ? path : `/${path}`}`);
  return { url: place, service: { namespace, name, port }, ...trust };
}

function urlOf(text: string): URL {
  const url = new URL(text);
  url.search = "";
  return url;
}

/** Returns the URL as Go prints it, with the port even if it is the default one and was given. */
export function printedUrl({ url, service }: Endpoint, query: string): string {
  const port = service?.port ?? url.port;
  const host = port === "" ? url.hostname : `${url.hostname}:${port}`;
  return `https://${host}${url.pathname}${query}`;
}
