import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { below, type Rng } from "../src/base/index.ts";
import { hostileValue } from "../src/cache/objects/objects.fixture.ts";
import { JsonSyntaxError, readJson } from "../src/schema/index.ts";
import { endOfJson } from "../src/transport/index.ts";
import { confusesKeys } from "../test/json-keys.ts";
import { cpuStopwatch, readLimitMs } from "./cpu-time.ts";
import { chance, drawSeed, mutated } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";

export interface JsonSubject {
  readonly readJson: typeof readJson;
  readonly endOfJson: typeof endOfJson;
}

/** The server's JSON reader and the scanner's validator, compared with `JSON.parse` on valid and mutated documents. */
export function jsonTarget(subject: JsonSubject = { readJson, endOfJson }): FuzzTarget {
  return {
    name: "json",
    summary: "the server's JSON reader and the scanner beside JSON.parse",
    async run(rng, budget) {
      const documents = fc.sample(hostileValue, { seed: drawSeed(rng), numRuns: 200 });
      let count = 0;
      for (const document of documents) {
        const text = textOf(rng, document);
        for (const each of [text, ...mutations(rng, text)]) check(subject, each);
        count += 9;
        if (budget.spent) break;
      }
      return { documents: count };
    },
  };
}

function textOf(rng: Rng, value: unknown): string {
  return JSON.stringify(value, null, chance(rng, 0.3) ? below(rng, 4) : 0);
}

function* mutations(rng: Rng, text: string): Generator<string> {
  let bytes: Buffer = Buffer.from(text);
  for (let count = 0; count < 8; count++) {
    bytes = mutated(rng, chance(rng, 0.5) ? Buffer.from(text) : bytes, jsonAlphabet);
    yield bytes.toString();
  }
}

const jsonAlphabet = '{}[]",:\\0123456789.-+eE truefalsn\n\t\u0001\u2028';

function check({ readJson, endOfJson }: JsonSubject, text: string): void {
  if (confusesKeys && text.includes("\\")) return; // JSON.parse itself may be wrong
  const expected = outcome(() => JSON.parse(text));
  const stopwatch = cpuStopwatch();
  const found = outcome(() => readJson(text).value);
  const tookMs = stopwatch();
  const shown = JSON.stringify(text.slice(0, 500));
  if (tookMs > readLimitMs(text.length))
    throw new Error(`expected ${shown} to be read in time, got ${tookMs} ms`);
  if (found.error && !(found.error instanceof JsonSyntaxError)) throw found.error;
  if (!isAgreed(expected, found))
    throw new Error(
      `expected JSON.parse and readJson to agree on ${shown}, got ${said(expected)} and ${said(found)}`,
    );
  const bytes = Buffer.from(text);
  if (endOfJson(bytes, 0) === bytes.length && expected.error)
    throw new Error(`expected the scanner to refuse ${shown}, got it accepted`);
  if (isCompact(text) && !expected.error && endOfJson(bytes, 0) !== bytes.length)
    throw new Error(`expected the scanner to accept ${shown}, got it refused`);
}

interface Outcome {
  readonly value?: unknown;
  readonly error?: Error;
}

function outcome(read: () => unknown): Outcome {
  try {
    return { value: read() };
  } catch (error) {
    return { error: error as Error }; // both readers throw errors only
  }
}

function said({ value, error }: Outcome): string {
  return error ? `"${error.message}"` : inspectShort(value);
}

function inspectShort(value: unknown): string {
  return (JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each)) ?? "").slice(
    0,
    300,
  );
}

/** Go, and so the reader, refuses numbers beyond a float64 and replaces halves of surrogate pairs. */
function isAgreed(expected: Outcome, found: Outcome): boolean {
  if (expected.error) return found.error !== undefined;
  if (found.error) return /cannot unmarshal number|max depth/.test(found.error.message);
  return isDeepStrictEqual(asGo(expected.value), asGo(found.value));
}

/** Returns a value with wide integers as numbers, and halves of surrogate pairs replaced. */
function asGo(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Object.is(value, -0)) return 0;
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(asGo);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [wellFormed(key), asGo(each)]));
}

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** Returns true if a valid text has no white space between its tokens: the scanner accepts only such texts. */
function isCompact(text: string): boolean {
  return !/\s/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, ""));
}
