import fc from "fast-check";
import { expect, test } from "vitest";
import { Frames, FrameTooLongError } from "./frames.ts";

/** Returns the frames of `chunks` as text. */
function framesOf(chunks: readonly Buffer[], { flush = false } = {}): string[] {
  const texts: string[] = [];
  const frames = new Frames((bytes, start, end) => texts.push(bytes.toString("latin1", start, end)));
  for (const chunk of chunks) frames.push(chunk);
  if (flush) frames.flush();
  return texts;
}

/** Splits `bytes` at these positions. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** Bytes with frequent newlines. */
const bytesWithLines = fc
  .array(fc.oneof({ weight: 1, arbitrary: fc.constant(10) }, { weight: 3, arbitrary: fc.nat(255) }), {
    maxLength: 200,
  })
  .map((bytes) => Buffer.from(bytes));

test("for any chunks, the frames are the lines that are not empty", () => {
  fc.assert(
    fc.property(bytesWithLines, fc.array(fc.nat(), { maxLength: 20 }), (bytes, places) => {
      const lines = bytes.toString("latin1").split("\n");
      const chunks = cut(bytes, places);
      const filled = (texts: readonly string[]): string[] => texts.filter((text) => text !== "");
      expect(framesOf(chunks)).toEqual(filled(lines.slice(0, -1)));
      expect(framesOf(chunks, { flush: true })).toEqual(filled(lines));
    }),
  );
});

test("with keepEmpty, empty lines are frames", () => {
  fc.assert(
    fc.property(bytesWithLines, fc.array(fc.nat(), { maxLength: 20 }), (bytes, places) => {
      const lines: string[] = [];
      const frames = new Frames((chunk, start, end) => lines.push(chunk.toString("latin1", start, end)), {
        keepEmpty: true,
      });
      for (const chunk of cut(bytes, places)) frames.push(chunk);
      expect(lines).toEqual(bytes.toString("latin1").split("\n").slice(0, -1));
    }),
  );
});

test("unfinished has the bytes after the last newline", () => {
  fc.assert(
    fc.property(bytesWithLines, fc.array(fc.nat(), { maxLength: 20 }), (bytes, places) => {
      const frames = new Frames(() => {});
      for (const chunk of cut(bytes, places)) frames.push(chunk);
      expect([...frames.unfinished]).toEqual([...bytes.subarray(bytes.lastIndexOf(10) + 1)]);
      frames.flush();
      expect(frames.unfinished).toHaveLength(0);
    }),
  );
});

test("a frame within one chunk is not copied, a frame across chunks is", () => {
  const taken: [shared: boolean, start: number, text: string][] = [];
  const chunks: Buffer[] = [Buffer.from("one\ntwo\nth"), Buffer.from("ree\nfour\n")];
  const frames = new Frames((bytes, start, end) =>
    taken.push([chunks.includes(bytes), start, bytes.toString("utf8", start, end)]),
  );
  for (const chunk of chunks) frames.push(chunk);
  expect(taken).toEqual([
    [true, 0, "one"],
    [true, 4, "two"],
    [false, 0, "three"],
    [true, 4, "four"],
  ]);
});

test("a chunk is not read after push returns", () => {
  fc.assert(
    fc.property(bytesWithLines, fc.array(fc.nat(), { maxLength: 20 }), (bytes, places) => {
      const lines: string[] = [];
      const frames = new Frames((chunk, start, end) => lines.push(chunk.toString("latin1", start, end)));
      for (const chunk of cut(bytes, places)) {
        const reused = Buffer.from(chunk);
        frames.push(reused);
        reused.fill("?");
      }
      expect(lines).toEqual(framesOf([bytes]));
    }),
  );
});

test("frames across chunks use the same memory", () => {
  const memory = new Set<Buffer>();
  const frames = new Frames((bytes) => memory.add(bytes));
  for (const text of ["lo", "ng\nlo", "ng\nl", "ong\n"]) frames.push(Buffer.from(text));
  expect(memory.size).toBe(1);
});

test("push delivers the complete frames of a chunk in order before it returns", () => {
  const log: string[] = [];
  const frames = new Frames((bytes, start, end) => log.push(bytes.toString("utf8", start, end)));
  for (const text of ["a\nb", "c\n\n\nd", "\n"]) {
    frames.push(Buffer.from(text));
    log.push("pushed");
  }
  expect(log).toEqual(["a", "pushed", "bc", "pushed", "d", "pushed"]);
});

test.each([
  { title: "in one chunk", chunks: ["123456\n"] },
  { title: "across chunks", chunks: ["123", "456\n"] },
  { title: "before its end has come", chunks: ["123", "456"] },
  { title: "after others", chunks: ["12\n3", "45678"] },
])("a frame over the limit is refused $title", ({ chunks }) => {
  const frames = new Frames(() => {}, { maxBytes: 5 });
  const last = chunks.length - 1;
  for (const chunk of chunks.slice(0, last)) frames.push(Buffer.from(chunk));
  expect(() => frames.push(Buffer.from(chunks[last] ?? ""))).toThrow(FrameTooLongError);
});

test("a frame of exactly the limit is accepted, in one chunk or more", () => {
  const texts: string[] = [];
  const frames = new Frames((bytes, start, end) => texts.push(bytes.toString("utf8", start, end)), {
    maxBytes: 5,
  });
  for (const text of ["12345\n", "123", "45", "\n"]) frames.push(Buffer.from(text));
  expect(texts).toEqual(["12345", "12345"]);
});

test.each([
  { source: undefined, message: "expected frames of at most 5 bytes, got one of 7 or more" },
  { source: "GET /pods", message: "expected frames of at most 5 bytes from GET /pods, got one of 7 or more" },
])(
  "the error has the limit and the length, and the request if it is known: $source",
  ({ source, message }) => {
    const frames = new Frames(() => {}, { maxBytes: 5, source });
    expect(() => frames.push(Buffer.from("1234567"))).toThrow(message);
  },
);

test("an endless frame uses no more memory than the limit before it is refused", () => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const frames = new Frames(() => {}, { maxBytes: 1024 * 1024 });
  let pushed = 0;
  const push100Megabytes = (): void => {
    for (; pushed < 100 * 1024 * 1024; pushed += chunk.length) frames.push(chunk);
  };
  expect(push100Megabytes).toThrow(FrameTooLongError);
  expect(pushed).toBe(1024 * 1024);
});

test("push throws the errors of onFrame", () => {
  const frames = new Frames(() => {
    throw new Error("no such event");
  });
  expect(() => frames.push(Buffer.from("x\n"))).toThrow("no such event");
});
