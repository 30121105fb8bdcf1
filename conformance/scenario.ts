import { Namespace } from "trimtab/api/core/v1";
import { type Client, connect } from "trimtab/client";
import { afterAll, type ExpectStatic, inject, test } from "vitest";

/** What runs the API server under test. */
export type Engine = "embedded" | "binaries" | "existing";

declare module "vitest" {
  interface ProvidedContext {
    readonly engine: Engine;
    readonly kubeconfig: string;
  }
}

/** What a scenario is given. */
export interface Stage {
  /** May do everything, in this scenario's namespace and on what has none. */
  readonly client: Client;
  /** Made for this scenario, and deleted after it. */
  readonly namespace: string;
  readonly cluster: {
    readonly engine: Engine;
    /** May do everything everywhere. */
    readonly client: Client;
    /** For other programs: path of a kubeconfig file, or what KUBECONFIG says. */
    readonly kubeconfig: string;
  };
  readonly expect: ExpectStatic;
  /** Aborts when the scenario takes too long. */
  readonly signal: AbortSignal;
}

/**
 * One behaviour of an API server, which every engine has to show.
 * Scenarios run beside each other: what a scenario makes outside its namespace has to have a name of its own.
 */
export function scenario(behaviour: string, play: (stage: Stage) => Promise<void>): void {
  test(behaviour, async ({ expect, signal }) => {
    const { metadata } = await whole.create(Namespace, { metadata: { generateName: "conformance-" } });
    const namespace = metadata.name;
    const client = whole.inNamespace(namespace);
    const cluster = { engine, kubeconfig, client: whole };
    try {
      await play({ client, namespace, cluster, expect, signal });
    } finally {
      await whole.delete(Namespace, namespace);
    }
  });
}

const engine = inject("engine");
const kubeconfig = inject("kubeconfig");
const whole = await connect({ kubeconfig: engine === "existing" ? undefined : kubeconfig });
afterAll(() => whole.close());
