import { facts } from "../src/api/types/facts.ts";
import { readProtobuf } from "../src/apiserver/protobuf/protobuf-document.ts";
import { ProtobufError } from "../src/apiserver/protobuf/protobuf-error.ts";
import { below, type Rng } from "../src/base/index.ts";
import { typedSchema } from "../src/schema/index.ts";
import { cpuStopwatch, readLimitMs } from "./cpu-time.ts";
import { chance, mutated } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";

export interface ProtobufSubject {
  readonly readProtobuf: typeof readProtobuf;
}

/** The server's protobuf reader, on random and mutated messages of every kind. It must refuse or read them in time. */
export function protobufTarget(subject: ProtobufSubject = { readProtobuf }): FuzzTarget {
  return {
    name: "protobuf",
    summary: "the server's protobuf reader on random and mutated messages",
    async run(rng, budget) {
      const kinds = facts().resources.filter((kind) => typedSchema(kind) !== undefined);
      let count = 0;
      for (let round = 0; round < 200 && !budget.spent; round++) {
        const kind = kinds[below(rng, kinds.length)];
        if (!kind) throw new Error("expected kinds of the release, got none");
        let bytes: Buffer = Buffer.concat([Buffer.from("k8s\0"), field(2, message(rng, 0))]);
        for (let change = 0; change < 8; change++) {
          check(subject, bytes, kind);
          bytes = mutated(rng, bytes, alphabet);
          count += 1;
        }
      }
      return { messages: count };
    },
  };
}

const alphabet = '\u0000\u0001\u0002\b\n\u0012\u001a"*2:\u007f\u0080\u00ff';

/** Returns random fields with small numbers, which most messages have. */
function message(rng: Rng, depth: number): Buffer {
  const fields = Array.from({ length: below(rng, 6) }, () => randomField(rng, depth));
  return Buffer.concat(fields);
}

function randomField(rng: Rng, depth: number): Buffer {
  const number = 1 + below(rng, 20);
  if (chance(rng, 0.2)) return Buffer.from([number * 8, below(rng, 128)].flatMap((value) => varint(value)));
  return field(number, depth < 6 && chance(rng, 0.7) ? message(rng, depth + 1) : Buffer.from("1Gi"));
}

function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(value.length)]), value]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}

type Expected = Parameters<typeof readProtobuf>[1];

function check({ readProtobuf }: ProtobufSubject, bytes: Buffer, kind: Expected): void {
  const stopwatch = cpuStopwatch();
  try {
    readProtobuf(bytes, kind, { add: () => undefined, addJson: () => undefined });
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
  }
  const tookMs = stopwatch();
  if (tookMs > readLimitMs(bytes.length)) {
    throw new Error(`expected ${bytes.toString("base64")} to be read in time, got ${tookMs} ms`);
  }
}
