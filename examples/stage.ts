import { parseArgs } from "node:util";
import { ApiError, connect } from "trimtab";
import { SyncError } from "trimtab/cache";
import { type Client, ConfigError, ConnectionError } from "trimtab/client";
import { type CustomKind, startCluster } from "trimtab/testing";

/** The cluster that an example runs on. */
export interface Stage extends AsyncDisposable {
  readonly client: Client;
  /** For kubectl, where the cluster is the example's own, so that nothing happens in it by itself. */
  readonly kubeconfig: string | undefined;
  /** Whether to end without Ctrl-C: after the tour, or on an existing cluster once every object has been handled. */
  readonly once: boolean;
}

/**
 * The cluster of `--kubeconfig` or `--master`; without them, one in this process, with `kinds` in it. From here on, what
 * nobody catches is told as `advice` has it.
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

/** One line for what a person can mend; anything else is a bug and keeps its stack. */
export function advice(error: unknown): unknown {
  const known = [ConfigError, ConnectionError, ApiError, SyncError].some((type) => error instanceof type);
  return known && error instanceof Error ? error.message : error;
}

/** What a program tells, line by line, for who waits for a line of it: a demonstration, or a test. */
export class Lines {
  readonly all: string[] = [];
  readonly #print: (line: string) => void;
  readonly #waiting = new Map<string, () => void>();

  /** @param print is given every line too. @default nobody */
  constructor(print: (line: string) => void = () => {}) {
    this.#print = print;
  }

  readonly say = (line: string): void => {
    this.all.push(line);
    this.#print(line);
    this.#waiting.get(line)?.();
  };

  /** Resolves when the line has been told. */
  told(line: string): Promise<void> {
    if (this.all.includes(line)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(line, resolve));
  }
}
