import { parseArgs } from "node:util";
import { ApiError, connect } from "trimtab";
import { FactorySyncError, SyncError } from "trimtab/cache";
import { type Client, ConfigError, ConnectionError } from "trimtab/client";
import { type CustomKind, startCluster } from "trimtab/testing";
import type { WebhookServerOptions } from "trimtab/webhook";

/** The cluster that an example runs on. */
export interface Stage extends AsyncDisposable {
  readonly client: Client;
  /** Path of a kubeconfig file for kubectl, if the cluster is the example's own. */
  readonly kubeconfig: string | undefined;
  /**
   * True if the example exits without Ctrl-C: after the tour, or on an existing cluster once every object has been
   * handled.
   */
  readonly once: boolean;
  /** How the API server reaches webhooks of the example. `undefined` if that is not known. */
  readonly webhookServer: WebhookServerOptions | undefined;
}

/**
 * Connects to the cluster of `--kubeconfig` or `--master`. Without them, it starts one in this process that serves
 * `kinds`. From then on, uncaught errors are printed with `advice`.
 */
export async function openStage(kinds: readonly CustomKind[] = []): Promise<Stage> {
  process.on("uncaughtException", (error) => {
    console.error(advice(error));
    process.exit(1);
  });
  const { kubeconfig, master: server, once, ...webhooks } = flags();
  if (kubeconfig === undefined && server === undefined) {
    const cluster = await startCluster({ listen: true, kinds });
    const { client, kubeconfig: file } = cluster;
    const webhookServer = { ...servedAt("https://127.0.0.1:0"), host: "127.0.0.1" };
    return { client, kubeconfig: file, once, webhookServer, [Symbol.asyncDispose]: () => cluster.close() };
  }
  const client = await connect({ kubeconfig, server });
  const webhookServer = webhookServerOf(webhooks);
  return { client, kubeconfig: undefined, once, webhookServer, [Symbol.asyncDispose]: () => client.close() };
}

interface WebhookFlags {
  readonly "webhook-service"?: string | undefined;
  readonly "webhook-url"?: string | undefined;
}

/** In a cluster, webhooks are registered with their Service; elsewhere with a URL, until the program ends. */
function webhookServerOf(flag: WebhookFlags): WebhookServerOptions | undefined {
  const { "webhook-service": name, "webhook-url": url } = flag;
  if (name !== undefined) return { service: { name } };
  return url === undefined ? undefined : servedAt(url);
}

function servedAt(url: string): WebhookServerOptions {
  return { url, port: Number(new URL(url).port || 443), registration: "temporary" };
}

function flags() {
  try {
    const options = {
      kubeconfig: { type: "string" },
      master: { type: "string" },
      once: { type: "boolean", default: false },
      "webhook-service": { type: "string" },
      "webhook-url": { type: "string" },
    } as const;
    return parseArgs({ options }).values;
  } catch {
    const got = process.argv.slice(2).join(" ");
    const webhooks = "[--webhook-service NAME | --webhook-url URL]";
    console.error(`expected [--kubeconfig FILE | --master URL] [--once] ${webhooks}, got ${got}`);
    process.exit(2);
  }
}

/** Returns one line for errors that the user can fix. Other errors are bugs and keep their stack. */
export function advice(error: unknown): unknown {
  const known = [ConfigError, ConnectionError, ApiError, SyncError, FactorySyncError].some(
    (type) => error instanceof type,
  );
  return known && error instanceof Error ? error.message : error;
}

/** Collects the lines that a program prints, so that a tour or a test can wait for one. */
export class Lines {
  readonly all: string[] = [];
  readonly #print: (line: string) => void;
  readonly #waiting = new Map<string, () => void>();

  /** @param print Called with every line. @default no output */
  constructor(print: (line: string) => void = () => {}) {
    this.#print = print;
  }

  readonly say = (line: string): void => {
    this.all.push(line);
    this.#print(line);
    this.#waiting.get(line)?.();
  };

  /** Resolves when the line has been printed. */
  printed(line: string): Promise<void> {
    if (this.all.includes(line)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(line, resolve));
  }
}
