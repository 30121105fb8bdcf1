import type { AnyKind, KubeObject } from "trimtab/api";
import type { Client } from "trimtab/client";

export interface Waited<T> {
  /** @default any */
  readonly name?: string | undefined;
  readonly holds: (object: T) => boolean;
}

/** Who waits, and for how long. */
export interface Waiting {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** The object, as soon as it is as expected. */
export async function until<T extends KubeObject>(
  { client, signal }: Waiting,
  kind: AnyKind<T>,
  { name, holds }: Waited<T>,
): Promise<T> {
  const fields = name === undefined ? undefined : { "metadata.name": name };
  for await (const event of client.watch(kind, { fields, signal })) {
    if (event.type !== "bookmark" && event.type !== "deleted" && holds(event.object)) return event.object;
  }
  throw new Error(`expected a ${kind.kind} to become as asked, got an end of the watch`);
}
