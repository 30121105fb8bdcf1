import { sleep } from "../base/index.ts";
import { goQuoted } from "../schema/index.ts";
import type { Engine } from "./engine.ts";
import type { ServerRequest } from "./exchange.ts";
import { resourceVersionTooLarge, type StatusError } from "./status-error.ts";

/** The revision that a resourceVersion in a query means; nothing where none was given. */
export function parseVersion(
  text: string | null,
  refuse: (message: string) => StatusError,
): number | undefined {
  if (text === null || text === "") return undefined;
  if (/^\d+$/.test(text) && BigInt(text) < 1n << 64n) return Number(text);
  throw refuse(`resourceVersion: Invalid value: ${goQuoted(text)}: ${parseUintFault(text)}`);
}

/** What Go says of a text that is no unsigned number. */
export function parseUintFault(text: string): string {
  const why = /^\d+$/.test(text) ? "value out of range" : "invalid syntax";
  return `strconv.ParseUint: parsing ${goQuoted(text)}: ${why}`;
}

/** How long a read waits for a revision that is yet to come. */
const maxWaitMs = 3_000;
const pollMs = 100;

/** Waits until there is what was asked for, and not forever. */
export async function awaitRevision(
  { storage, clock }: Engine,
  { signal, query }: ServerRequest,
  wanted: number | undefined,
): Promise<void> {
  if (wanted === undefined) return;
  const untilMs = clock.monotonic() + maxWaitMs;
  while (storage.revision < wanted && clock.monotonic() < untilMs) {
    await sleep(pollMs, { clock, signal });
  }
  if (storage.revision < wanted)
    throw resourceVersionTooLarge(query.get("resourceVersion") ?? "", storage.revision);
}
