import fc from "fast-check";
import { parseAllDocuments, parse as parseYaml, stringify } from "yaml";
import { readYaml } from "../src/apiserver/yaml/yaml-document.ts";
import { writeYaml } from "../src/apiserver/yaml/yaml-writer.ts";
import { below, type Rng } from "../src/base/index.ts";
import { hostileValue } from "../src/cache/objects/objects.fixture.ts";
import { JsonSyntaxError } from "../src/schema/index.ts";
import { cpuStopwatch, readLimitMs } from "./cpu-time.ts";
import { chance, drawSeed, mutated, pick } from "./draw.ts";
import { type FuzzTarget, Tally } from "./target.ts";
import { isSameJson, shortJson } from "./things.ts";

/**
 * The embedded server's YAML reader and writer. Values that are written and read again stay the same, also with the
 * `yaml` package on one side. Mutated documents are refused where the package refuses them.
 */
export function yamlTarget(read: typeof readYaml = readYaml): FuzzTarget {
  return {
    name: "yaml",
    summary: "the server's YAML reader and writer beside the yaml package",
    async run(rng, budget) {
      const tally = new Tally();
      for (const drawn of fc.sample(hostileValue, { seed: drawSeed(rng), numRuns: 60 })) {
        const value = writable(drawn);
        await checkYamlValue(rng, read, value);
        tally.add("values written and read");
        for (const bytes of mutations(rng, Buffer.from(documentOf(rng, value))))
          tally.add((await checkDocument(read, bytes)) ? "documents read" : "documents refused");
        if (budget.spent) break;
      }
      return tally.counts;
    },
  };
}

function* mutations(rng: Rng, document: Buffer): Generator<Buffer> {
  let bytes = document;
  for (let count = 0; count < 8; count++) {
    bytes = mutated(rng, chance(rng, 0.7) ? document : bytes, yamlAlphabet);
    yield bytes;
  }
}

const yamlAlphabet = ":-?#&*!|>'\"%@`{}[],~<= \n\t\r0123456789ex_.\\\u0001\u0085\u2028\ufeff";

/** Returns a value that YAML can represent: no halves of surrogate pairs, no negative zero, exact integers. */
function writable(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) >= 2 ** 53 ? 1 : value + 0;
  if (typeof value === "string") return value.replaceAll(/\p{Surrogate}/gu, "?");
  if (Array.isArray(value)) return value.map(writable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [String(writable(key)), writable(each)]),
  );
}

/** Writes the value and reads it again, with the package on either side. Throws if the value changes. */
export async function checkYamlValue(rng: Rng, read: typeof readYaml, value: unknown): Promise<void> {
  const ours = writeYaml(value);
  const theirs = stringified(rng, value);
  expectValue(
    await read(Buffer.from(ours)).then((document) => document.value),
    value,
    `our reader of ${ours}`,
  );
  expectValue(parseYaml(ours, packageOptions), value, `the yaml package of ${ours}`);
  if (!isReadBack(theirs, value)) return;
  // If the whole document is a block scalar, the package indents it by one space less than Go's reader expects.
  if (/^[|>]-?[1-9]/.test(theirs)) return;
  expectValue(
    await read(Buffer.from(theirs)).then((document) => document.value),
    value,
    `our reader of ${theirs}`,
  );
}

/**
 * Returns true if the package reads its own text as the value. It does not for some long texts: it folds them in the
 * middle of a character that takes two code units, and it writes "undefined" where the indentation is wider than the
 * line.
 */
function isReadBack(text: string, value: unknown): boolean {
  return isSameJson(exact(parseYaml(Buffer.from(text).toString(), packageOptions)), value);
}

/** The package warns of every number that JavaScript cannot represent. */
const packageOptions = { version: "1.1", logLevel: "error" } as const;

function stringified(rng: Rng, value: unknown): string {
  return stringify(value, {
    version: "1.1",
    indent: 1 + below(rng, 4),
    lineWidth: pick(rng, [0, 20, 80]),
    collectionStyle: pick(rng, ["any", "block", "flow"]),
    defaultKeyType: pick(rng, [null, "QUOTE_DOUBLE", "QUOTE_SINGLE"]),
    defaultStringType: pick(rng, ["PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"]),
    aliasDuplicateObjects: false,
  });
}

/** Documents with additional YAML features: comments, anchors, aliases, merge keys, tags, a second document. */
function documentOf(rng: Rng, value: unknown): string {
  const parts = [
    stringified(rng, { first: value }),
    "# comment\n",
    "base: &base {a: 1, b: [x]}\nother: *base\nmine: {b: 2, <<: *base}\n",
    "text: |+\n  one\n   two\n\nfolded: >-\n  one\n  two\n",
    "tagged: !!str 5\nbinary: !!binary aGk=\n",
    "? complex\n: value\n",
    "---\nsecond: document\n",
  ];
  return parts.filter((_, index) => index === 0 || chance(rng, 0.4)).join("");
}

/** @returns whether the document was accepted */
async function checkDocument(read: typeof readYaml, bytes: Buffer): Promise<boolean> {
  const shown = JSON.stringify(bytes.toString());
  const stopwatch = cpuStopwatch();
  const error = await read(bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const tookMs = stopwatch();
  if (tookMs > readLimitMs(bytes.length))
    throw new Error(`expected ${shown} to be read in time, got ${tookMs} ms`);
  if (error !== undefined && !(error instanceof JsonSyntaxError)) {
    throw new Error(`expected a JsonSyntaxError for ${shown}, got ${String(error)}`, { cause: error });
  }
  const theirs = problemOf(bytes);
  if (error === undefined && theirs !== undefined)
    throw new Error(`expected ${shown} to be refused, as the yaml package does with ${theirs}`);
  if (error !== undefined && theirs === undefined && !ownProblems.test(error.message))
    throw new Error(`expected ${shown} to be accepted, as the yaml package does, got ${error.message}`);
  return error === undefined;
}

/** Errors that only Go's reader reports, or that the package reports only when the value is used. */
const ownProblems =
  /control characters|UTF-8|Unicode|anchor|excessive aliasing|map merge|map key|unsupported value|max depth/;

/** Returns the package's errors for the first document of a text. */
function problemOf(bytes: Buffer): string | undefined {
  const options = { version: "1.1", schema: "failsafe", uniqueKeys: false, logLevel: "silent" } as const;
  const documents = parseAllDocuments(bytes.toString(), options);
  return "empty" in documents ? undefined : documents[0]?.errors[0]?.message;
}

function expectValue(found: unknown, expected: unknown, where: string): void {
  const got = exact(found);
  if (!isSameJson(got, expected))
    throw new Error(`expected ${shortJson(expected)} from ${where}, got ${shortJson(got)}`);
}

/** Reads 64-bit integers as `bigint` if JavaScript cannot represent them exactly. */
function exact(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, exact(each)]));
}
