import { request as httpRequest, type IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyDecoder } from "./body-decoder.ts";
import { HttpParseError, ResponseHeadReader } from "./response-head.ts";

/** The response that a parser reads, or its refusal. */
type Outcome =
  | { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }
  | "refused";

/** Reads a response with our parser, split at the given positions. */
function ours(response: Buffer, cuts: readonly number[]): Outcome {
  const parts = split(response, cuts);
  const headReader = new ResponseHeadReader();
  let body = "";
  const onBody = (bytes: Buffer): void => {
    body += bytes.toString("latin1");
  };
  try {
    for (const [index, part] of parts.entries()) {
      const read = headReader.read(part);
      if (!read) continue;
      const { status, headers, framing } = read.head;
      const decoder = bodyDecoder(framing);
      const rest = [part.subarray(read.end), ...parts.slice(index + 1)];
      const complete = rest.some((bytes) => decoder.decode(bytes, onBody));
      return complete || decoder.endsWithConnection ? { status, headers: { ...headers }, body } : "refused";
    }
    return "refused";
  } catch (error) {
    if (error instanceof HttpParseError) return "refused";
    throw error;
  }
}

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => Buffer.from(bytes.subarray(places[index], end)));
}

/** Reads a response with the client of `node:http`, from a socket that has these bytes and then ends. */
function theirs(response: Buffer): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
    const request = httpRequest({ createConnection: () => socket, headers: { connection: "close" } });
    request.on("error", () => resolve("refused"));
    request.on("upgrade", () => resolve("refused"));
    request.on("response", (message) => resolve(whole(message)));
    request.end();
    socket.push(response);
    socket.push(null);
  });
}

function whole(message: IncomingMessage): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("error", () => resolve("refused"));
    message.on("aborted", () => resolve("refused"));
    message.on("end", () => {
      const body = Buffer.concat(chunks).toString("latin1");
      if (message.complete) resolve({ status: message.statusCode ?? 0, headers: headersOf(message), body });
      else resolve("refused");
    });
  });
}

/** Converts repeated headers, which `node:http` joins, to lists. */
function headersOf({ headersDistinct }: IncomingMessage): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  );
}

const valid = [
  "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nX-A: 1\r\nx-a: 2\r\n\r\n5;a=b\r\nhello\r\nA\r\n0123456789\r\n0\r\nx-t: 1\r\n\r\n",
  "HTTP/1.1 200 OK\r\n\r\nuntil the end",
  "HTTP/1.0 200 OK\r\n\r\nuntil the end",
  "HTTP/1.1 204 No Content\r\n\r\n",
  "HTTP/1.1 404\r\ncontent-length: 2\r\n\r\nno",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
  "HTTP/1.1 200 OK\r\nempty:\r\nspaced: \t a b \t\r\ncontent-length: 1\r\n\r\nx",
];

test.each(valid)("%j is read as by node:http, wherever it is split", async (text) => {
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
    base: fc.constantFrom(...valid),
    edits: fc.array(
      fc.record({
        at: fc.nat(200),
        remove: fc.nat(2),
        insert: fc.constantFrom(
          "",
          "0",
          "5",
          "a",
          " ",
          "\r",
          "\n",
          "\r\n",
          ":",
          ";",
          "\0",
          "\x7f",
          "\xff",
          "chunked",
        ),
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
