import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Performance } from "./contender.ts";
import type { Script, Step } from "./script.ts";
import type { Answer } from "./side.ts";

/** A script that once showed a difference, and the responses of kube-apiserver. */
export interface Recording extends Script, Performance {
  /** Describes the difference in a sentence. */
  readonly behaviour: string;
}

/** Reads the recordings of a folder, by file. A recording that was never played has no responses. */
export function readRecordings(folder: string): ReadonlyMap<string, Recording> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  return new Map(files.sort().map((file) => [file, readRecording(join(folder, file))]));
}

interface Line extends Partial<Pick<Recording, "behaviour" | "subject" | "events">> {
  readonly step?: Step;
  readonly answer?: Answer;
}

function readRecording(file: string): Recording {
  // Written by `writeRecording`, or by hand in the same format.
  const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  return {
    behaviour: lines[0]?.behaviour ?? "",
    subject: lines[0]?.subject ?? "",
    steps: lines.flatMap(({ step }) => (step ? [step] : [])),
    answers: lines.flatMap(({ answer }) => (answer ? [answer] : [])),
    events: lines.at(-1)?.events ?? {},
  };
}

/** Writes the description, a line for each step with its response, and the events. */
export function writeRecording(file: string, recording: Recording): void {
  const { behaviour, subject, steps, answers, events } = recording;
  const exchanges = steps.map((step, at) => ({ step, answer: answers[at] }));
  const lines = [{ behaviour, subject }, ...exchanges, { events }];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
