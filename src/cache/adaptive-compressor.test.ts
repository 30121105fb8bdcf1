import { expect, test } from "vitest";
import { AdaptiveCompressor } from "./adaptive-compressor.ts";
import type { ByteRange } from "./byte-range.ts";

/** JSON of some hundred bytes, most of which all have. */
function alike(shape: string, at: number): Buffer {
  return Buffer.from(JSON.stringify({ name: `${shape}-${at}`, says: `${shape} `.repeat(100), ready: true }));
}

function whole(bytes: Buffer): ByteRange {
  return { bytes, start: 0, end: bytes.length };
}

/** What came of packing each, unpacked again: with how many bytes it took, or `undefined`. */
function packAll(packer: AdaptiveCompressor, objects: readonly Buffer[]): (number | undefined)[] {
  const target = Buffer.alloc(64 * 1024);
  return objects.map((json) => {
    const packed = packer.pack(json);
    if (!packed || !packer.packing) return undefined;
    const length = packer.packing.unpack(whole(packed), target);
    expect(target.toString("utf8", 0, length)).toBe(json.toString());
    return packed.length;
  });
}

test("objects that are like those before take less than half of their bytes", () => {
  const packer = new AdaptiveCompressor({ after: 0, from: 1 });
  const [first, ...others] = packAll(
    packer,
    [1, 2, 3, 4].map((at) => alike("web", at)),
  );
  expect(first).toBe(undefined);
  expect(others.every((length) => length !== undefined && length < alike("web", 1).length / 4)).toBe(true);
});

test("of few objects it learns nothing", () => {
  const json = alike("web", 1);
  const packer = new AdaptiveCompressor({ after: 10 * json.length, from: 1 });
  expect(packAll(packer, Array(11).fill(json))).toEqual(Array(11).fill(undefined));
  expect(packer.packing).toBeDefined();
});

test("where objects come that are not like those it knows, it learns anew, but seldom", () => {
  const packer = new AdaptiveCompressor({ after: 0, from: 1 });
  packAll(packer, [alike("web", 0)]);
  const first = packer.packing;
  packAll(packer, Array(1000).fill(unlike("a")));
  expect(packer.packing).toBe(first);
  packAll(packer, [unlike("a"), unlike("b")]);
  expect(packer.packing).not.toBe(first);
});

test("what an earlier packing has packed stays readable by it", () => {
  const packer = new AdaptiveCompressor({ after: 0, from: 1 });
  packAll(packer, [alike("web", 0)]);
  const packed = Buffer.from(packer.pack(alike("web", 1)) ?? "");
  const before = packer.packing;
  packAll(packer, Array(1002).fill(unlike("a")));
  expect(packer.packing).not.toBe(before);
  const target = Buffer.alloc(1024 * 16);
  expect(target.toString("utf8", 0, before?.unpack(whole(packed), target))).toBe(alike("web", 1).toString());
});

test("an object that is longer than what is packed stays as it is, and nothing is learned of it", () => {
  const packer = new AdaptiveCompressor({ after: 0, from: 1 });
  expect(packer.pack(Buffer.alloc(33 * 1024, "x"))).toBe(undefined);
  expect(packer.packing).toBe(undefined);
});

/** Like nothing else. */
function unlike(seed: string): Buffer {
  let text = "";
  for (let state = seed.charCodeAt(0), at = 0; at < 400; at++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += String.fromCharCode(33 + ((state >>> 16) % 90));
  }
  return Buffer.from(text);
}
