import type { Bench } from "./bench.ts";

/** Which part of a bench is to be run. */
export interface Narrowing {
  /** What the names of its cases have in them. @default every name has it */
  readonly case?: string | undefined;
  /** What the names of the peers have in them beside which ours is run. @default every name has it */
  readonly peer?: string | undefined;
  /** @default the bench's own number */
  readonly rounds?: number | undefined;
}

/** The part of the bench that is asked for. Nobody else is prepared, or compiled. */
export function narrowed(bench: Bench, asked: Narrowing): Bench {
  const { case: caseText = "", peer: peerText = "", rounds = bench.rounds } = asked;
  const cases = bench.cases.filter(({ name }) => name.includes(caseText));
  const peers = bench.peers.filter(({ name, ours }) => ours || name.includes(peerText));
  return { ...bench, cases, peers, rounds };
}
