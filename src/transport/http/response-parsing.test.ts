import fc from "fast-check";
import { expect, test } from "vitest";
import { insertions, ours, theirs, validResponses } from "./response-readers.fixture.ts";

test.each(validResponses)("%j is read as by node:http, wherever it is split", async (text) => {
  const response = Buffer.from(text, "latin1");
  const expected = await theirs(response);
  expect(expected).not.toBe("refused");
  for (let one = 0; one <= response.length; one += 1) {
    for (let other = one; other <= response.length; other += 1) {
      expect(ours(response, [one, other])).toEqual(expected);
    }
  }
});

const invalid = [
  "",
  "HTTP/1.1 200 OK\r\n",
  "HTTP/2 200 OK\r\n\r\n",
  "HTTP/1.1 99 OK\r\n\r\n",
  "HTTP/1.1 2000 OK\r\n\r\n",
  "HTTP/1.1  200 OK\r\n\r\n",
  "http/1.1 200 OK\r\n\r\n",
  "HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
  "HTTP/1.1 200 OK\r\n: c\r\n\r\n",
  "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
  "HTTP/1.1 200 OK\r\na: b\r\n folded\r\n\r\n",
  "HTTP/1.1 200 OK\r\na: b\0c\r\n\r\n",
  "HTTP/1.1 200 OK\r\na: b\nc: d\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: 1a\r\n\r\nx",
  "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\nx",
  "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\nhello",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\nhello",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello0\r\n\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nbad trailer\r\n\r\n",
  `HTTP/1.1 200 OK\r\na: ${"x".repeat(16 * 1024)}\r\n\r\n`,
];

test.each(invalid)("%j is refused as by node:http, wherever it is split", async (text) => {
  const response = Buffer.from(text, "latin1");
  expect(await theirs(response)).toBe("refused");
  const places = Array.from({ length: Math.min(response.length, 200) + 1 }, (_, at) => at);
  expect(places.map((at) => ours(response, [at]))).toEqual(places.map(() => "refused"));
});

test("a Transfer-Encoding other than chunked is refused", () => {
  const response = Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
  expect(ours(response, [])).toBe("refused");
});

/** Responses near valid ones: bytes are replaced, removed or repeated. */
const mutated = fc
  .record({
    base: fc.constantFrom(...validResponses),
    edits: fc.array(
      fc.record({
        at: fc.nat(200),
        remove: fc.nat(2),
        insert: fc.constantFrom(...insertions),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ base, edits }) =>
    edits.reduce((text, { at, remove, insert }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + insert + text.slice(place + remove);
    }, base),
  );

test("a mutated response is never read differently from node:http", async () => {
  await fc.assert(
    fc.asyncProperty(mutated, fc.array(fc.nat(200), { maxLength: 4 }), async (text, cuts) => {
      const response = Buffer.from(text, "latin1");
      const [mine, node] = [ours(response, cuts), await theirs(response)];
      // Ours may be stricter. It must not accept what node:http refuses, nor read anything else.
      if (mine !== "refused") expect(mine).toEqual(node);
    }),
    { numRuns: 3000 },
  );
});
