import type { Bench } from "./bench.ts";

/** The part of a bench to run. */
export interface Narrowing {
  /** Text in the names of the cases. @default all cases */
  readonly case?: string | undefined;
  /** Text in the names of the peers besides ours. @default all peers */
  readonly peer?: string | undefined;
  /** Number of rounds. @default the bench's own number */
  readonly rounds?: number | undefined;
}

/** Thrown if no case has this text in its name. */
export class UnknownCaseError extends Error {
  override readonly name: string = "UnknownCaseError";
}

/**
 * Returns the requested part of the bench. Other peers are not prepared or compiled. Throws an `UnknownCaseError` if no
 * case matches.
 */
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
