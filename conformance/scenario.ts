import { Namespace } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { afterAll, type ExpectStatic, test } from "vitest";
import { type LeftOut, reasonToSkip } from "./left-out.ts";
import { type ServerUnderTest, serverUnderTest } from "./server-under-test.ts";

/** The context of a scenario. */
export interface Stage {
  /** An administrator's client in this scenario's namespace. */
  readonly client: Client;
  /** The namespace of this scenario. It is deleted after it. */
  readonly namespace: string;
  readonly cluster: Omit<ServerUnderTest, typeof Symbol.asyncDispose>;
  readonly expect: ExpectStatic;
  /** Aborts when the scenario takes too long. */
  readonly signal: AbortSignal;
}

export interface ScenarioOptions {
  /** The feature that the scenario needs and the embedded server lacks. @default none: every engine shows it */
  readonly needs?: LeftOut | undefined;
  /** True if the server has to reach a port of this process, which an existing cluster may not. @default false */
  readonly local?: boolean | undefined;
}

/**
 * Defines one behaviour of an API server, which every engine has to show.
 * Scenarios run concurrently, so objects outside the namespace need unique names.
 */
export function scenario(
  behaviour: string,
  play: (stage: Stage) => Promise<void>,
  { needs, local = false }: ScenarioOptions = {},
): void {
  test(behaviour, async ({ expect, signal, skip }) => {
    const reason = reasonToSkip(needs, cluster.engine);
    if (reason !== undefined) return skip(reason);
    if (local && cluster.engine === "existing")
      return skip("the server may not reach a port of this process");
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
