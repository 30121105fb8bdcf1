import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { MutatingWebhook } from "trimtab/api/admissionregistration/v1";
import { createAuthority } from "../src/certificates/index.ts";
import type { Stage } from "./scenario.ts";
import { wire } from "./wire.ts";

/** The request of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly subResource?: string;
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly [field: string]: unknown;
}

/** Answers a request of the server: a response of the review, or any other HTTP response. */
export type Answer = (request: AdmissionRequest) => object | RawAnswer | Promise<object | RawAnswer>;

/** An HTTP response in place of a review. */
export class RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.text = text;
    this.headers = headers;
  }
}

const authority = createAuthority("conformance");

/** An HTTPS server in this process. */
export interface HookServer extends AsyncDisposable {
  readonly url: string;
  readonly caBundle: string;
  readonly port: number;
}

/** Starts an HTTPS server that answers the JSON of each POST with JSON. */
export async function hookServer(
  answer: (body: unknown, path: string) => Promise<object | RawAnswer>,
): Promise<HookServer> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const result = await answer(JSON.parse(Buffer.concat(chunks).toString()), request.url ?? "");
    const [status, body] =
      result instanceof RawAnswer ? [result.status, result.text] : [200, JSON.stringify(result)];
    const headers = result instanceof RawAnswer ? result.headers : {};
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  };
  const server = createServer(authority.server(["127.0.0.1", "localhost"]), (request, response) => {
    // The server then reports a connection that was closed without a response.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(authority.cert).toString("base64"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A webhook of a scenario: its answer, and fields that differ from the usual ones. */
export interface Hook extends Partial<Omit<MutatingWebhook, "name">> {
  readonly answer: Answer;
  /** The version of reviews. @default "v1" */
  readonly review?: string | undefined;
}

export interface Hooks extends AsyncDisposable {
  /** The requests that the webhooks got, by name of the webhook. */
  readonly requests: Readonly<Record<string, AdmissionRequest[]>>;
  readonly server: HookServer;
}

type HookType = "mutating" | "validating";

/**
 * Registers webhooks for ConfigMaps of the scenario's namespace, and waits until the server calls them. Webhooks are
 * named `<name>.example.dev`, in the order of the record.
 */
export async function hooks(
  stage: Stage,
  type: HookType,
  answers: Readonly<Record<string, Answer | Hook>>,
): Promise<Hooks> {
  const { namespace, cluster } = stage;
  const requests: Record<string, AdmissionRequest[]> = {};
  const calls = new Map(
    Object.entries(answers).map(([name, hook]) => [
      name,
      typeof hook === "function" ? { answer: hook } : hook,
    ]),
  );
  let ready = false;
  const server = await hookServer(async (body, path) => {
    const { request, apiVersion } = body as { request: AdmissionRequest; apiVersion: string };
    const name = path.split(/[/?]/)[1] ?? "";
    if (name === "ready") {
      ready = true;
      return review(apiVersion, { uid: request.uid, allowed: true });
    }
    if (!isMarker(request)) requests[name] = [...(requests[name] ?? []), request];
    const answer = isMarker(request) ? { allowed: true } : await calls.get(name)?.answer(request);
    if (answer instanceof RawAnswer) return answer;
    return review(apiVersion, { uid: request.uid, ...answer });
  });
  const plural = `${type}webhookconfigurations`;
  const metadata = { name: `${namespace}-${type}-${serial++}` };
  const webhooks = [...calls].map(([name, { answer: _, review: version = "v1", ...more }]) => ({
    ...usual(stage, server, name),
    admissionReviewVersions: [version],
    ...more,
  }));
  const marker = {
    ...usual(stage, server, "ready"),
    objectSelector: { matchLabels: { [markerLabel]: metadata.name } },
  };
  const configurations = `/apis/admissionregistration.k8s.io/v1/${plural}` as const;
  const body = { metadata, webhooks: [...webhooks, marker] };
  const created = await wire(cluster.client, `POST ${configurations}`, { body });
  if (created.status !== 201) throw new Error(`expected webhooks to be registered, got ${created.text}`);
  while (!ready) {
    const object = { metadata: { name: "marker", labels: { [markerLabel]: metadata.name } } };
    await wire(cluster.client, `POST /api/v1/namespaces/${namespace}/configmaps?dryRun=All`, {
      body: object,
    });
    if (!ready) await sleep(50, undefined, { signal: stage.signal });
  }
  return {
    requests,
    server,
    async [Symbol.asyncDispose]() {
      await wire(cluster.client, `DELETE ${configurations}/${metadata.name}`);
      await server[Symbol.asyncDispose]();
    },
  };
}

let serial = 0;

const markerLabel = "conformance/ready";

function isMarker({ object }: AdmissionRequest): boolean {
  const { metadata } = (object ?? {}) as { metadata?: { labels?: Record<string, string> } };
  return metadata?.labels?.[markerLabel] !== undefined;
}

function usual({ namespace }: Stage, server: HookServer, name: string): object {
  return {
    name: `${name}.example.dev`,
    clientConfig: { url: `${server.url}/${name}`, caBundle: server.caBundle },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
}

function review(apiVersion: string, response: object): object {
  return { kind: "AdmissionReview", apiVersion, response };
}

/** Returns a response with a JSON patch. */
export function patching(...operations: object[]): object {
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  return { allowed: true, patchType: "JSONPatch", patch };
}

export const allowing = { allowed: true };

export function denying(status: object): object {
  return { allowed: false, status };
}
