import { conditionOf, type Draft } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { type Clock, deadline, realClock, sleep } from "../base/index.ts";
import type { Client } from "../client/index.ts";

/** A kind that is not built in: its definition, or what can give it. */
export type CustomKind =
  | Draft<CustomResourceDefinition>
  | { toCustomResourceDefinition(): Draft<CustomResourceDefinition> };

export interface ServeKindsOptions {
  /** For what waits. @default the machine's */
  readonly clock?: Clock | undefined;
}

/** How long a server may take to serve a kind that it has accepted. */
const establishedWithinMs = 30_000;
const betweenLooksMs = 20;

/** Defines kinds, and waits until the server takes objects of them. A definition that is there is made like this one. */
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
      while (!(await served(client, definition, signal))) await sleep(betweenLooksMs, { clock, signal });
    }),
  );
}

function definitionOf(given: CustomKind): Draft<CustomResourceDefinition> {
  const definition = "toCustomResourceDefinition" in given ? given.toCustomResourceDefinition() : given;
  const { metadata } = definition;
  if (!metadata?.name || !("spec" in definition)) {
    throw new Error(
      `expected the definition of a kind, with metadata.name and spec, got ${JSON.stringify(given)}`,
    );
  }
  const { name, labels, annotations } = metadata;
  // Who gives another object than a definition is told by the server.
  return { metadata: { name, labels, annotations }, spec: definition.spec };
}

/** The definition when the server has taken its names for its own. */
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
  throw new Error(`expected ${metadata.name} to be served, got an end of its watch`);
}

/** Whether objects of every served version can be listed: a server may need a moment more. */
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
