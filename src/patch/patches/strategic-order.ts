import type { Identity } from "./strategic-element.ts";

/** The orders that determine the order of a merged list. */
export interface Orders {
  /** The order of the patch. */
  readonly patchOrder: readonly unknown[];
  /** The order of the server. */
  readonly serverOrder: readonly unknown[];
}

/**
 * Returns merged elements in their final order. Elements of the patch have its order. The others keep the server's
 * order, each before the first element of the patch that it preceded there. An element of the patch that is new to the
 * server precedes all others that do not have a position yet.
 */
export function orderMerged(
  merged: readonly unknown[],
  { patchOrder, serverOrder }: Orders,
  identity: Identity,
): unknown[] {
  const patchRanks = ranksOf(patchOrder, identity);
  const serverRanks = ranksOf(serverOrder, identity);
  const ranked = merged.map((element): Ranked => {
    const id = identity(element);
    return { element, patchOrder: patchRanks.get(id), serverOrder: serverRanks.get(id) };
  });
  const patched = ranked.filter((each) => each.patchOrder !== undefined);
  const others = ranked.filter((each) => each.patchOrder === undefined);
  return interleaved(sorted(others, "serverOrder"), sorted(patched, "patchOrder")).map(
    ({ element }) => element,
  );
}

interface Ranked {
  readonly element: unknown;
  readonly patchOrder: number | undefined;
  readonly serverOrder: number | undefined;
}

function ranksOf(list: readonly unknown[], identity: Identity): Map<unknown, number> {
  const ranks = new Map<unknown, number>();
  for (const [rank, element] of list.entries()) {
    const id = identity(element);
    if (!ranks.has(id)) ranks.set(id, rank);
  }
  return ranks;
}

/** kube-apiserver sorts longer lists in blocks. The difference is visible only for elements without a rank. */
const insertionBlock = 20;

function sorted(list: readonly Ranked[], by: "patchOrder" | "serverOrder"): readonly Ranked[] {
  if (list.length <= insertionBlock) return insertionSorted(list, by);
  return list.toSorted((one, other) => (one[by] ?? list.length) - (other[by] ?? list.length));
}

/**
 * Sorts by insertion. If one of two elements has no rank, the later one comes first. This is an accident of
 * kube-apiserver that clients can see.
 */
function insertionSorted(list: readonly Ranked[], by: "patchOrder" | "serverOrder"): readonly Ranked[] {
  const result: Ranked[] = [];
  for (const each of list) {
    const after = result.findLastIndex((other) => !precedes(each[by], other[by]));
    result.splice(after + 1, 0, each);
  }
  return result;
}

function precedes(rank: number | undefined, other: number | undefined): boolean {
  return rank === undefined || other === undefined || rank < other;
}

/** Interleaves two sorted lists. Each keeps its own order. */
function interleaved(others: readonly Ranked[], patched: readonly Ranked[]): Ranked[] {
  const result: Ranked[] = [];
  const waiting = others.values();
  let other = waiting.next();
  for (const next of patched) {
    for (; !other.done && staysBefore(other.value, next); other = waiting.next()) result.push(other.value);
    result.push(next);
  }
  return other.done ? result : [...result, other.value, ...waiting];
}

function staysBefore(other: Ranked, next: Ranked): boolean {
  return (
    other.serverOrder !== undefined && next.serverOrder !== undefined && other.serverOrder < next.serverOrder
  );
}
