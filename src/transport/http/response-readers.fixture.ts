import { request as httpRequest, type IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import { bodyDecoder } from "./body-decoder.ts";
import { HttpParseError, ResponseHeadReader } from "./response-head.ts";

/** The response that a parser reads, or its refusal. */
export type Outcome =
  | { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }
  | "refused";

/** Reads a response with our parser, split at the given positions. */
export function ours(response: Buffer, cuts: readonly number[]): Outcome {
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
export function theirs(response: Buffer): Promise<Outcome> {
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

/** Valid responses of every framing. */
export const validResponses: readonly string[] = [
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

/** Texts that make a valid response invalid, or change its meaning, if they are inserted. */
export const insertions = [
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
] as const;
