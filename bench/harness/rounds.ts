import type { Bench, Case, World } from "./bench.ts";
import { formatValue } from "./format-value.ts";
import { type Row, type Sample, toRows } from "./rows.ts";

export interface RoundsOptions {
  /** One round with smaller sizes, as a check, not for quoting. */
  readonly quick: boolean;
  /** Called with a line of text for each step. */
  readonly progress: (line: string) => void;
}

/** The result of a bench. */
export interface Outcome {
  readonly rows: readonly Row[];
  readonly skipped: readonly { readonly peer: string; readonly reason: string }[];
  readonly failed: readonly Failure[];
  /** Additional lines from the environment. */
  readonly notes: readonly string[];
}

interface Failure {
  readonly peer: string;
  readonly case: string;
  readonly reason: string;
}

/**
 * Runs every peer through every case, round after round.
 * Peers alternate within a case, with another one first in each round, so that a temporary slowdown of the machine
 * affects all of them. A failed case is not repeated for that peer.
 */
export async function runRounds(bench: Bench, options: RoundsOptions): Promise<Outcome> {
  const { ready, skipped } = await prepare(bench);
  for (const { peer, reason } of skipped) options.progress(`${peer} is skipped: ${reason}`);
  await using world = await bench.open(options);
  const samples: Sample[] = [];
  const failed: Failure[] = [];
  const rounds = options.quick ? 1 : (bench.rounds ?? 3);
  for (const { round, ...turn } of turns(casesOf(bench, options.quick), ready, rounds)) {
    if (failed.some((known) => known.peer === turn.runner.peer && known.case === turn.case.name)) continue;
    const result = await attempt(world, turn);
    if ("reason" in result) failed.push(result);
    else samples.push(result);
    options.progress(`round ${round}/${rounds}  ${describe(turn.case, result)}`);
  }
  return { rows: toRows(bench, samples), skipped, failed, notes: world.notes?.() ?? [] };
}

interface Runner {
  readonly peer: string;
  readonly command: readonly string[];
}

interface Turn {
  readonly case: Case;
  readonly runner: Runner;
}

function* turns(
  cases: readonly Case[],
  runners: readonly Runner[],
  rounds: number,
): Generator<Turn & { round: number }> {
  for (let round = 1; round <= rounds; round++) {
    for (const each of cases) {
      const sent = runners.filter(({ peer }) => each.peers?.includes(peer) ?? true);
      for (const runner of rotated(sent, round - 1)) yield { round, case: each, runner };
    }
  }
}

function casesOf({ cases }: Bench, quick: boolean): readonly Case[] {
  return quick ? cases.filter((each) => each.quick ?? true) : cases;
}

async function prepare(bench: Bench): Promise<{ ready: Runner[]; skipped: Outcome["skipped"] }> {
  const ready: Runner[] = [];
  const skipped: { peer: string; reason: string }[] = [];
  for (const { name: peer, prepare } of bench.peers) {
    const prepared = await prepare();
    if ("skipped" in prepared) skipped.push({ peer, reason: prepared.skipped });
    else ready.push({ peer, command: prepared.command });
  }
  return { ready, skipped };
}

async function attempt(world: World, { case: each, runner }: Turn): Promise<Sample | Failure> {
  const { peer } = runner;
  try {
    return { peer, case: each.name, reading: await world.run({ ...runner, case: each }) };
  } catch (error) {
    return { peer, case: each.name, reason: error instanceof Error ? error.message : String(error) };
  }
}

function rotated<T>(all: readonly T[], by: number): T[] {
  const first = all.length === 0 ? 0 : by % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

function describe(each: Case, result: Sample | Failure): string {
  const place = `${result.case}  ${result.peer}`;
  if ("reason" in result) return `${place}  failed: ${result.reason}`;
  const figures = each.figures.flatMap(({ name, unit }) => {
    const value = result.reading[name];
    return value === undefined ? [] : [`${name} ${formatValue(value)} ${unit}`.trimEnd()];
  });
  return `${place}  ${figures.join(", ")}`;
}
