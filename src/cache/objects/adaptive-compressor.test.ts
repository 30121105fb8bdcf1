import { expect, test } from "vitest";
import { AdaptiveCompressor } from "./adaptive-compressor.ts";
import type { ByteRange } from "./byte-range.ts";

/** Returns about a kilobyte of JSON that is mostly the same for one shape. */
function similar(shape: string, at: number): Buffer {
  return Buffer.from(JSON.stringify({ name: `${shape}-${at}`, says: `${shape} `.repeat(100), ready: true }));
}

function whole(bytes: Buffer): ByteRange {
  return { bytes, start: 0, end: bytes.length };
}

/**
 * Compresses each object, expects it to survive a round trip, and returns the compressed lengths; `undefined` for
 * uncompressed.
 */
function compressAll(compressor: AdaptiveCompressor, objects: readonly Buffer[]): (number | undefined)[] {
  const target = Buffer.alloc(64 * 1024);
  return objects.map((json) => {
    const compressed = compressor.compress(json);
    if (!compressed || !compressor.codec) return undefined;
    const length = compressor.codec.decompress(whole(compressed), target);
    expect(target.toString("utf8", 0, length)).toBe(json.toString());
    return compressed.length;
  });
}

test("objects that resemble earlier ones compress to less than a quarter", () => {
  const compressor = new AdaptiveCompressor({ startAfterBytes: 0, sampleBytes: 1 });
  const [first, ...others] = compressAll(
    compressor,
    [1, 2, 3, 4].map((at) => similar("web", at)),
  );
  expect(first).toBe(undefined);
  expect(others.every((length) => length !== undefined && length < similar("web", 1).length / 4)).toBe(true);
});

test("the first startAfterBytes are not compressed or sampled", () => {
  const json = similar("web", 1);
  const compressor = new AdaptiveCompressor({ startAfterBytes: 10 * json.length, sampleBytes: 1 });
  expect(compressAll(compressor, Array(11).fill(json))).toEqual(Array(11).fill(undefined));
  expect(compressor.codec).toBeDefined();
});

test("a new dictionary is learned for dissimilar objects, at most once in 1,000 objects", () => {
  const compressor = new AdaptiveCompressor({ startAfterBytes: 0, sampleBytes: 1 });
  compressAll(compressor, [similar("web", 0)]);
  const first = compressor.codec;
  compressAll(compressor, Array(1000).fill(dissimilar("a")));
  expect(compressor.codec).toBe(first);
  compressAll(compressor, [dissimilar("a"), dissimilar("b")]);
  expect(compressor.codec).not.toBe(first);
});

test("an earlier codec still decompresses what it has compressed", () => {
  const compressor = new AdaptiveCompressor({ startAfterBytes: 0, sampleBytes: 1 });
  compressAll(compressor, [similar("web", 0)]);
  const compressed = Buffer.from(compressor.compress(similar("web", 1)) ?? "");
  const before = compressor.codec;
  compressAll(compressor, Array(1002).fill(dissimilar("a")));
  expect(compressor.codec).not.toBe(before);
  const target = Buffer.alloc(1024 * 16);
  expect(target.toString("utf8", 0, before?.decompress(whole(compressed), target))).toBe(
    similar("web", 1).toString(),
  );
});

test("an object above the maximum length is neither compressed nor sampled", () => {
  const compressor = new AdaptiveCompressor({ startAfterBytes: 0, sampleBytes: 1 });
  expect(compressor.compress(Buffer.alloc(33 * 1024, "x"))).toBe(undefined);
  expect(compressor.codec).toBe(undefined);
});

/** Returns text that does not compress. */
function dissimilar(seed: string): Buffer {
  let text = "";
  for (let state = seed.charCodeAt(0), at = 0; at < 400; at++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += String.fromCharCode(33 + ((state >>> 16) % 90));
  }
  return Buffer.from(text);
}
