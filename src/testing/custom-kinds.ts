import { conditionOf, type Draft } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { type Clock, deadline, realClock, sleep } from "../base/index.ts";
import type { Client } from "../client/index.ts";

/** A kind that is not built in: its CustomResourceDefinition, or an object that can return it. */
export type CustomKind =
  | Draft<CustomResourceDefinition>
  | { toCustomResourceDefinition(): Draft<CustomResourceDefinition> };

export interface ServeKindsOptions {
  /** Clock for waiting. @default the real clock */
  readonly clock?: Clock | undefined;
}

/** Maximum time until the server serves an accepted definition. */
const establishedWithinMs = 30_000;
const pollMs = 20;

/** Applies the definitions of kinds and waits until the server serves them. An existing definition is updated. */
export async function serveKinds(
  client: Client,
  kinds: readonly CustomKind[],
  { clock = realClock }: ServeKindsOptions = {},
): Promise<void> {
  using limit = deadline(establishedWithinMs, "waiting for custom kinds to be served", { clock });
  const { signal } = limit;
  await Promise.all(
    kinds.map(async (each) => {
      const made = await client.apply(CustomResourceDefinition, definitionOf(each), { force: true, signal });
      const definition = await established(client, made, signal);
      while (!(await served(client, definition, signal))) await sleep(pollMs, { clock, signal });
    }),
  );
}

function definitionOf(given: CustomKind): Draft<CustomResourceDefinition> {
  const definition = "toCustomResourceDefinition" in given ? given.toCustomResourceDefinition() : given;
  const { metadata } = definition;
  if (!metadata?.name || !("spec" in definition)) {
    throw new Error(
      `expected a CustomResourceDefinition with metadata.name and spec, got ${JSON.stringify(given)}`,
    );
  }
  const { name, labels, annotations } = metadata;
  // The server rejects any other object with its own message.
  return { metadata: { name, labels, annotations }, spec: definition.spec };
}

/** Waits until the server has accepted the definition's names, and returns the definition. */
async function established(
  client: Client,
  { metadata }: CustomResourceDefinition,
  signal: AbortSignal,
): Promise<CustomResourceDefinition> {
  const fields = { "metadata.name": metadata.name };
  for await (const event of client.watch(CustomResourceDefinition, { fields, signal })) {
    if (event.type === "bookmark") continue;
    const { conditions } = event.object.status ?? {};
    const refused = conditionOf(conditions, "NamesAccepted");
    if (refused?.status === "False") {
      throw new Error(`expected ${metadata.name} to be served, got ${refused.reason}: ${refused.message}`);
    }
    if (conditionOf(conditions, "Established")?.status === "True") return event.object;
  }
  throw new Error(`expected ${metadata.name} to be served, got the end of its watch`);
}

/**
 * Returns true if objects of every served version can be listed. The server may serve them shortly after `Established`.
 */
async function served(
  { transport }: Client,
  { spec }: CustomResourceDefinition,
  signal: AbortSignal,
): Promise<boolean> {
  for (const version of spec.versions.filter((each) => each.served)) {
    const path = `/apis/${spec.group}/${version.name}/${spec.names.plural}?limit=1`;
    const { status } = await transport.send({ method: "GET", path, signal });
    if (status !== 200) return false;
  }
  return true;
}
