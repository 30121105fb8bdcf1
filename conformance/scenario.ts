import { Namespace } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { afterAll, type ExpectStatic, test } from "vitest";
import { type LeftOut, reasonToSkip } from "./left-out.ts";
import { type ServerUnderTest, serverUnderTest } from "./server-under-test.ts";

/** What a scenario is given. */
export interface Stage {
  /** May do everything, in this scenario's namespace and on what has none. */
  readonly client: Client;
  /** Made for this scenario, and deleted after it. */
  readonly namespace: string;
  readonly cluster: Omit<ServerUnderTest, typeof Symbol.asyncDispose>;
  readonly expect: ExpectStatic;
  /** Aborts when the scenario takes too long. */
  readonly signal: AbortSignal;
}

export interface ScenarioOptions {
  /** What the embedded server would have to do for it, and does not. @default nothing: every engine shows it */
  readonly needs?: LeftOut | undefined;
}

/**
 * One behaviour of an API server, which every engine has to show.
 * Scenarios run beside each other: what a scenario makes outside its namespace has to have a name of its own.
 */
export function scenario(
  behaviour: string,
  play: (stage: Stage) => Promise<void>,
  { needs }: ScenarioOptions = {},
): void {
  test(behaviour, async ({ expect, signal, skip }) => {
    const reason = reasonToSkip(needs, cluster.engine);
    if (reason !== undefined) return skip(reason);
    const { metadata } = await cluster.client.create(Namespace, {
      metadata: { generateName: "conformance-" },
    });
    const namespace = metadata.name;
    const client = cluster.client.inNamespace(namespace);
    try {
      await play({ client, namespace, cluster, expect, signal });
    } finally {
      await cluster.client.delete(Namespace, namespace);
    }
  });
}

const cluster = await serverUnderTest();
afterAll(() => cluster[Symbol.asyncDispose]());
