import fc from "fast-check";
import { expect, test } from "vitest";
import { ChunkedBody } from "./chunked-body.ts";

/** What comes out of `reads`, one after the other, and how far each was taken. */
function taken(reads: readonly Buffer[]): { body: string; pieces: number; ends: number[]; isOver: boolean } {
  const chunked = new ChunkedBody();
  let body = "";
  let pieces = 0;
  const ends = reads.map((bytes) =>
    chunked.push(bytes, (piece) => {
      body += piece.toString("latin1");
      pieces += 1;
    }),
  );
  return { body, pieces, ends, isOver: chunked.ended };
}

/** `text` cut at `places`, as far as they are in it. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const within = [...new Set(places.filter((place) => place < text.length))].sort(
    (one, other) => one - other,
  );
  return [0, ...within].map((place, at) => Buffer.from(text.slice(place, within[at]), "latin1"));
}

const chunk = fc
  .record({
    data: fc.string({ minLength: 1, maxLength: 40 }).map((text) => Buffer.from(text).toString("latin1")),
    zeros: fc.integer({ min: 0, max: 8 }),
    upper: fc.boolean(),
    extension: fc.constantFrom("", ";", ";name=value", ' ; quoted="a b"', "\t"),
  })
  .map(({ data, zeros, upper, extension }) => {
    const size = data.length.toString(16);
    const written = "0".repeat(zeros) + (upper ? size.toUpperCase() : size);
    return { data, text: `${written}${extension}\r\n${data}\r\n` };
  });

test("whatever the chunks and however they are read, the body comes whole, and what stands behind it is left", () => {
  const places = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 30 });
  const last = fc.constantFrom("0\r\n", "000\r\n", "0;last\r\n");
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), last, places, (chunks, end, cuts) => {
      const framed = chunks.map(({ text }) => text).join("") + end;
      const reads = cut(framed, cuts);
      expect(taken(reads)).toMatchObject({
        body: chunks.map(({ data }) => data).join(""),
        ends: reads.map(({ length }) => length),
        isOver: true,
      });
    }),
    { numRuns: 1000 },
  );
});

/** The body as far as it came, and what was said of the rest. */
function outcome(reads: readonly Buffer[]): unknown {
  const chunked = new ChunkedBody();
  let body = "";
  try {
    for (const bytes of reads) {
      if (!chunked.ended) chunked.push(bytes, (piece) => (body += piece.toString("latin1")));
    }
  } catch (error) {
    return { body, error: String(error) };
  }
  return { body, isOver: chunked.ended };
}

test("with any byte another, what comes in one read is what comes byte by byte", () => {
  const byte = fc.constantFrom(..."\r\n0fF;g \t");
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 2, maxLength: 6 }), fc.nat(), byte, (chunks, place, other) => {
      const framed = `${chunks.map(({ text }) => text).join("")}0\r\n`;
      const at = place % framed.length;
      const text = framed.slice(0, at) + other + framed.slice(at + 1);
      const bytes = Array.from(text, (one) => Buffer.from(one, "latin1"));
      expect(outcome([Buffer.from(text, "latin1")])).toEqual(outcome(bytes));
    }),
    { numRuns: 2000 },
  );
});

test("what one read has of the body comes in one piece, in the memory that it was read into", () => {
  const bytes = Buffer.from("3\r\none\r\n3\r\ntwo\r\n5\r\nthr");
  const memory: ArrayBufferLike[] = [];
  const texts: string[] = [];
  new ChunkedBody().push(bytes, (piece) => {
    memory.push(piece.buffer);
    texts.push(String(piece));
  });
  expect([texts, memory.every((one) => one === bytes.buffer)]).toEqual([["onetwothr"], true]);
});

test("the bytes behind the last size are not taken", () => {
  const bytes = Buffer.from("3\r\none\r\n0\r\nx-trailer: 1\r\n\r\nHTTP/1.1 200 OK");
  expect(taken([bytes])).toEqual({ body: "one", pieces: 1, ends: [11], isOver: true });
});

test.each([
  { name: "no size", text: "\r\n", wanted: "the size of a chunk", got: "\r" },
  { name: "a size that is none", text: "xyz\r\n", wanted: "the size of a chunk", got: "x" },
  { name: "a negative size", text: "-1\r\n", wanted: "the size of a chunk", got: "-" },
  { name: "a size that no memory has", text: "f".repeat(20), wanted: "the size of a chunk", got: "f" },
  { name: "a size without its line's end", text: "3\rone", wanted: "the end of a chunk's size", got: "o" },
  { name: "more data than was said", text: "3\r\nones\r\n", wanted: "the end of a chunk", got: "s" },
  { name: "less data than was said", text: "4\r\none\r\n0\r\n", wanted: "the end of a chunk", got: "\n" },
  {
    name: "an endless extension",
    text: `3;${"x".repeat(5000)}`,
    wanted: "the size of a chunk within 4096 bytes",
    got: "x",
  },
])("$name is refused with what was expected", ({ text, wanted, got }) => {
  const refused = expect.objectContaining({
    code: "HPE_INVALID_CHUNK_SIZE",
    message: `expected ${wanted} in a chunked body, got ${JSON.stringify(got)}`,
  });
  expect(() => taken([Buffer.from(text)])).toThrow(refused);
});
