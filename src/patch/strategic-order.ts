import type { Identity } from "./strategic-element.ts";

/** What decides where elements of a merged list stand. */
export interface Orders {
  /** As the patch has them. */
  readonly wanted: readonly unknown[];
  /** As the server has them. */
  readonly known: readonly unknown[];
}

/**
 * Merged elements in their final order. Those of the patch are as it has them. The others stay in the server's order,
 * each in front of the first of the patch's that it was in front of before; what is new to the server goes before all
 * that follows it there.
 */
export function arranged(
  merged: readonly unknown[],
  { wanted, known }: Orders,
  identity: Identity,
): unknown[] {
  const wantedRanks = ranksOf(wanted, identity);
  const knownRanks = ranksOf(known, identity);
  const ranked = merged.map((element): Ranked => {
    const id = identity(element);
    return { element, wanted: wantedRanks.get(id), known: knownRanks.get(id) };
  });
  const patched = ranked.filter((each) => each.wanted !== undefined);
  const others = ranked.filter((each) => each.wanted === undefined);
  return interleaved(sorted(others, "known"), sorted(patched, "wanted")).map(({ element }) => element);
}

interface Ranked {
  readonly element: unknown;
  readonly wanted: number | undefined;
  readonly known: number | undefined;
}

function ranksOf(list: readonly unknown[], identity: Identity): Map<unknown, number> {
  const ranks = new Map<unknown, number>();
  for (const [rank, element] of list.entries()) {
    const id = identity(element);
    if (!ranks.has(id)) ranks.set(id, rank);
  }
  return ranks;
}

/** Longer lists are sorted in blocks by the real server, which shows only where an element has no rank. */
const insertionBlock = 20;

function sorted(list: readonly Ranked[], by: "wanted" | "known"): readonly Ranked[] {
  if (list.length <= insertionBlock) return inserted(list, by);
  return list.toSorted((one, other) => (one[by] ?? list.length) - (other[by] ?? list.length));
}

/** Where one of two has no rank, the later one goes first. This is an accident of the real server, and seen by clients. */
function inserted(list: readonly Ranked[], by: "wanted" | "known"): readonly Ranked[] {
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

/** Two sorted lists as one. Neither changes its own order. */
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
  return other.known !== undefined && next.known !== undefined && other.known < next.known;
}
