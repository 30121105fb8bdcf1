import { sleep } from "../../base/index.ts";
import { goQuoted } from "../../schema/index.ts";
import type { ServerRequest } from "../types/exchange.ts";
import { resourceVersionTooLarge, type StatusError } from "../types/status-error.ts";
import type { Engine } from "./engine.ts";

/** Parses the resourceVersion of a query. Returns `undefined` if it is absent. */
export function parseVersion(
  text: string | null,
  refuse: (message: string) => StatusError,
): number | undefined {
  if (text === null || text === "") return undefined;
  if (/^\d+$/.test(text) && BigInt(text) < 1n << 64n) return Number(text);
  throw refuse(`resourceVersion: Invalid value: ${goQuoted(text)}: ${parseUintProblem(text)}`);
}

/** Returns Go's error for a text that is not an unsigned integer. */
export function parseUintProblem(text: string): string {
  const why = /^\d+$/.test(text) ? "value out of range" : "invalid syntax";
  return `strconv.ParseUint: parsing ${goQuoted(text)}: ${why}`;
}

/** Maximum time for which a read waits for a future revision. */
const maxWaitMs = 3_000;
const pollMs = 100;

/** Waits until the storage has reached a revision. Throws a timeout error after `maxWaitMs`. */
export async function awaitRevision(
  { storage, clock }: Engine,
  { signal, query }: ServerRequest,
  minRevision: number | undefined,
): Promise<void> {
  if (minRevision === undefined) return;
  const untilMs = clock.monotonic() + maxWaitMs;
  while (storage.revision < minRevision && clock.monotonic() < untilMs) {
    await sleep(pollMs, { clock, signal });
  }
  if (storage.revision < minRevision)
    throw resourceVersionTooLarge(query.get("resourceVersion") ?? "", storage.revision);
}
