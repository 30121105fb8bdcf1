/**
 * `npm run conformance -- differential --seed N --count N [--kinds configmaps,rings] [--replay FILE] [--record]`
 *
 * Plays random scripts on kube-apiserver and on the embedded server, and compares all responses. A script that shows a
 * difference is shrunk to the smallest that still does, and printed. `--replay` plays that text again.
 * `--record` sends the scripts in `recordings` to kube-apiserver only, and records its responses for a test.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { MissingBinariesError, startCluster } from "../../src/testing/index.ts";
import { httpTransport, loadConfig, type Transport } from "../../src/transport/index.ts";
import { scriptOf } from "./arbitrary-script.ts";
import { Contender } from "./contender.ts";
import { Duel, type Outcome } from "./duel.ts";
import { define } from "./ready.ts";
import { readRecordings, writeRecording } from "./recording.ts";
import { Report } from "./report.ts";
import { readScript, type Script } from "./script.ts";
import type { Subject } from "./subject.ts";
import { subjects } from "./subjects.ts";

/** Returns the exit code. */
export async function differential(args: readonly string[]): Promise<number> {
  const choices = choicesIn(args);
  try {
    if (choices.record) return await withReal(record);
    return await withServers((duel) => compare(duel, choices));
  } catch (error) {
    if (!(error instanceof MissingBinariesError)) throw error;
    console.error(`conformance: differential skipped, ${error.message}`);
    return 0;
  }
}

interface Choices {
  readonly seed: number;
  readonly count: number;
  readonly kinds: readonly Subject[];
  readonly replay?: string | undefined;
  readonly record: boolean;
}

function choicesIn(args: readonly string[]): Choices {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      count: { type: "string", default: "100" },
      kinds: { type: "string", default: subjects.map(({ plural }) => plural).join(",") },
      replay: { type: "string" },
      record: { type: "boolean", default: false },
    },
  });
  return {
    seed: wholeNumber("--seed", values.seed),
    count: wholeNumber("--count", values.count),
    kinds: values.kinds.split(",").map(subjectCalled),
    replay: values.replay,
    record: values.record,
  };
}

function wholeNumber(option: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new Error(`expected a whole number for ${option}, got ${value}`);
}

function subjectCalled(plural: string): Subject {
  const subject = subjects.find((known) => known.plural === plural);
  if (subject) return subject;
  throw new Error(
    `expected --kinds out of ${subjects.map((known) => known.plural).join(",")}, got ${plural}`,
  );
}

async function withServers(use: (duel: Duel) => Promise<number>): Promise<number> {
  await using real = await startCluster({ engine: "binaries" });
  await using embedded = await startCluster({ engine: "embedded", listen: true });
  const [one, other] = await Promise.all([wireTo(real), wireTo(embedded)]);
  try {
    await Promise.all([define(one, subjects), define(other, subjects)]);
    await using duel = await Duel.begin(one, other, subjects);
    return await use(duel);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
}

async function withReal(use: (real: Transport) => Promise<number>): Promise<number> {
  await using cluster = await startCluster({ engine: "binaries" });
  const real = await wireTo(cluster);
  try {
    await define(real, subjects);
    return await use(real);
  } finally {
    await real.close();
  }
}

/** Records the responses of kube-apiserver to the scripts that once showed a difference. */
async function record(real: Transport): Promise<number> {
  using contender = await Contender.enter(real, subjects);
  const folder = fileURLToPath(new URL("./recordings", import.meta.url));
  const recordings = readRecordings(folder);
  for (const [file, recording] of recordings) {
    const subject = subjectCalled(recording.subject);
    const played = await contender.perform(recording, subject, file.replace(".jsonl", ""));
    writeRecording(join(folder, file), { ...recording, ...played });
  }
  console.log(`${recordings.size} recorded`);
  return 0;
}

/** Client options without retries. */
async function wireTo({ kubeconfig }: { readonly kubeconfig: string }): Promise<Transport> {
  return httpTransport(await loadConfig({ kubeconfig }));
}

async function compare(duel: Duel, { seed, count, kinds, replay }: Choices): Promise<number> {
  const report = new Report();
  if (replay !== undefined) {
    const script = readScript(await readFile(replay === "-" ? "/dev/stdin" : replay, "utf8"));
    report.add(script, await duel.judge(script));
    return report.end();
  }
  console.log(`seed ${seed}, ${count} scripts`);
  for (let index = 0; index < count; index += 1) {
    const trial = await tried(duel, scriptOf(kinds), seed * 1_000_003 + index);
    report.add(trial.script, trial.outcome);
  }
  return report.end();
}

interface Trial {
  readonly script: Script;
  readonly outcome: Outcome;
}

/** Plays one script. If the servers differ, returns the smallest script that shows a difference. */
async function tried(duel: Duel, arbitrary: fc.Arbitrary<Script>, seed: number): Promise<Trial> {
  let trial: Trial | undefined;
  const property = fc.asyncProperty(fc.noBias(arbitrary), async (script) => {
    const outcome = await (trial ? duel.play(script) : duel.judge(script));
    trial = trial && !outcome.difference ? trial : { script, outcome };
    return outcome.difference === undefined;
  });
  await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: longestShrinkMs });
  if (trial) return trial;
  throw new Error(`expected a script from seed ${seed}, got none`);
}

const longestShrinkMs = 20_000;
