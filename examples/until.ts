import type { AnyKind, KubeObject } from "trimtab/api";
import type { Client } from "trimtab/client";

export interface Expected<T> {
  /** Name of the object. @default any */
  readonly name?: string | undefined;
  readonly holds: (object: T) => boolean;
}

/** The client and abort signal of a wait. */
export interface Waiting {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Waits until an object of the kind holds, and returns it. */
export async function until<T extends KubeObject>(
  { client, signal }: Waiting,
  kind: AnyKind<T>,
  { name, holds }: Expected<T>,
): Promise<T> {
  const fields = name === undefined ? undefined : { "metadata.name": name };
  for await (const event of client.watch(kind, { fields, signal })) {
    if (event.type !== "bookmark" && event.type !== "deleted" && holds(event.object)) return event.object;
  }
  throw new Error(`expected a ${kind.kind} to meet the condition, got the end of the watch`);
}
