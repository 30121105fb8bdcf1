import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Bench } from "./bench.ts";

/** Thrown if the bench cannot run ours of the other checkout. */
export class CheckoutError extends Error {
  override readonly name: string = "CheckoutError";
}

/** Name of the peer that is ours of another checkout. */
export const earlier = "earlier";

/**
 * Returns the bench with ours of another checkout as an additional peer. Both alternate, so that a slow machine slows
 * both.
 * @param folder A checkout that is installed and built. Its own peer programs are run.
 */
export async function against(bench: Bench, folder: string): Promise<Bench> {
  const file = join(folder, "bench", "benches", `${bench.name}.ts`);
  if (!existsSync(file)) throw new CheckoutError(`expected a checkout with ${file}, got no such file`);
  const { bench: other } = (await import(pathToFileURL(file).href)) as { bench: Bench }; // every file there exports this
  return withEarlier(bench, other);
}

/** Returns the bench with ours of `other` as an additional peer, in every case of ours. */
export function withEarlier(bench: Bench, other: Bench): Bench {
  const ours = bench.peers.find((peer) => peer.ours)?.name;
  const theirs = other.peers.find((peer) => peer.ours);
  if (ours === undefined || !theirs || bench.singleCheckout) {
    throw new CheckoutError(`expected a bench that can run two checkouts with --against, got ${bench.name}`);
  }
  const cases = bench.cases.map((each) =>
    each.peers?.includes(ours) ? { ...each, peers: [...each.peers, earlier] } : each,
  );
  return { ...bench, cases, peers: [...bench.peers, { ...theirs, name: earlier, ours: false }] };
}
