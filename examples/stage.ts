import { parseArgs } from "node:util";
import { ApiError, connect } from "trimtab";
import { SyncError } from "trimtab/cache";
import { type Client, ConfigError, ConnectionError } from "trimtab/client";
import { type CustomKind, startCluster } from "trimtab/testing";

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
  const { kubeconfig, master: server, once } = flags();
  if (kubeconfig === undefined && server === undefined) {
    const cluster = await startCluster({ listen: true, kinds });
    const { client } = cluster;
    return { client, kubeconfig: cluster.kubeconfig, once, [Symbol.asyncDispose]: () => cluster.close() };
  }
  const client = await connect({ kubeconfig, server });
  return { client, kubeconfig: undefined, once, [Symbol.asyncDispose]: () => client.close() };
}

function flags() {
  try {
    const options = {
      kubeconfig: { type: "string" },
      master: { type: "string" },
      once: { type: "boolean", default: false },
    } as const;
    return parseArgs({ options }).values;
  } catch {
    const got = process.argv.slice(2).join(" ");
    console.error(`expected [--kubeconfig FILE | --master URL] [--once], got ${got}`);
    process.exit(2);
  }
}

/** Returns one line for errors that the user can fix. Other errors are bugs and keep their stack. */
export function advice(error: unknown): unknown {
  const known = [ConfigError, ConnectionError, ApiError, SyncError].some((type) => error instanceof type);
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
