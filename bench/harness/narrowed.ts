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

/** No case has this in its name. */
export class UnknownCaseError extends Error {
  override readonly name: string = "UnknownCaseError";
}

/** The part of the bench that is asked for. Nobody else is prepared, or compiled. Throws an `UnknownCaseError` where that is none of its cases. */
export function narrowed(bench: Bench, asked: Narrowing): Bench {
  const { case: caseText = "", peer: peerText = "", rounds = bench.rounds } = asked;
  const cases = bench.cases.filter(({ name }) => name.includes(caseText));
  if (cases.length === 0) {
    const names = bench.cases.map(({ name }) => `"${name}"`).join(", ");
    throw new UnknownCaseError(`expected a part of the name of a case (${names}), got "${caseText}"`);
  }
  const peers = bench.peers.filter(({ name, ours }) => ours || name.includes(peerText));
  return { ...bench, cases, peers, rounds };
}
