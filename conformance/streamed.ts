import type { Client } from "trimtab/client";
import { wire } from "./wire.ts";

export interface StreamedEvent {
  readonly type: string;
  /** An object, or a Status or bookmark in its place. */
  readonly object: unknown;
}

/** Returns the events of a watch that ends by itself because of its `timeoutSeconds`. */
export async function streamed(
  client: Client,
  path: `/${string}`,
  accept = "application/json",
): Promise<StreamedEvent[]> {
  const { text } = await wire(client, `GET ${path}`, { headers: { accept } });
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}
