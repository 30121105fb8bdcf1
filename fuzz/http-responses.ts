import { isDeepStrictEqual } from "node:util";
import { below, type Rng } from "../src/base/index.ts";
import { insertions, ours, theirs, validResponses } from "../src/transport/http/response-readers.fixture.ts";
import { anyOf, chance, mutated, pick } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";

export interface HttpResponsesSubject {
  /** Reads a response that is split at the given places. */
  readonly read: typeof ours;
}

/**
 * Valid and mutated responses in any split, read by the parser of streaming connections and by `node:http`. The parser
 * may be stricter, but it must not accept a response that `node:http` refuses, nor read another one. A valid response
 * has to be accepted.
 */
export function httpResponsesTarget({ read }: HttpResponsesSubject = { read: ours }): FuzzTarget {
  return {
    name: "http-responses",
    summary: "the heads and bodies of streaming responses beside node:http",
    async run(rng, budget) {
      let responses = 0;
      for (; responses < 400 && !budget.spent; responses += 1) {
        const valid = drawResponse(rng);
        await check(read, valid, { cuts: drawCuts(rng, valid), valid: true });
        const broken = drawMutation(rng, valid);
        await check(read, broken, { cuts: drawCuts(rng, broken), valid: false });
      }
      return { responses: 2 * responses };
    },
  };
}

/** Returns a valid response: a fixed one, or a random one of any framing. */
function drawResponse(rng: Rng): Buffer {
  if (chance(rng, 0.2)) return Buffer.from(anyOf(rng, validResponses) ?? "", "latin1");
  const status = pick(rng, ["200 OK", "201 Created", "404 Not Found", "503", "200 "]);
  const interim = chance(rng, 0.1) ? "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n" : "";
  const headers = Array.from({ length: below(rng, 4) }, () => drawHeader(rng));
  const body = drawBody(rng);
  const framing = pick(rng, ["length", "chunked", "close"]);
  const at = below(rng, headers.length + 1);
  const lines = {
    length: [`Content-Length: ${body.length}`],
    chunked: ["transfer-encoding: chunked"],
    close: [],
  };
  headers.splice(at, 0, ...lines[framing]);
  const head = `${interim}HTTP/1.1 ${status}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), framing === "chunked" ? chunked(rng, body) : body]);
}

function drawHeader(rng: Rng): string {
  const name = pick(rng, ["x-a", "X-A", "Content-Type", "audit-id", "warning", "a!#$%&'*+.^_`|~9"]);
  const value = pick(rng, ["", "1", "application/json", '299 - "old, new"', "a\tb", "é", "x".repeat(300)]);
  return `${name}:${pick(rng, ["", " ", "\t", "  "])}${value}${pick(rng, ["", " ", "\t "])}`;
}

function drawBody(rng: Rng): Buffer {
  const text = pick(rng, ["", "x", '{"type":"ADDED"}\n', "\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"]);
  return Buffer.from(text.repeat(below(rng, 40)));
}

/** Writes a body in chunks of random sizes, with extensions and trailers at times. */
function chunked(rng: Rng, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + 1 + below(rng, body.length - at));
    const size = part.length.toString(16);
    const written = pick(rng, [
      size,
      size,
      size.toUpperCase(),
      `00${size}`,
      `${size};a=b`,
      `${size};a="b c"`,
    ]);
    parts.push(Buffer.from(`${written}\r\n`), part, Buffer.from("\r\n"));
    at += part.length;
  }
  return Buffer.concat([
    ...parts,
    Buffer.from(pick(rng, ["0\r\n\r\n", "000\r\n\r\n", "0\r\nx-t: 1\r\n\r\n"])),
  ]);
}

function drawMutation(rng: Rng, bytes: Buffer): Buffer {
  let result = bytes;
  for (let count = 1 + below(rng, 3); count > 0; count -= 1) {
    result = chance(rng, 0.5)
      ? inserted(rng, result)
      : mutated(rng, result, "\r\n :;0123456789abcdefgHTP/.\0");
  }
  return result;
}

function inserted(rng: Rng, bytes: Buffer): Buffer {
  const at = below(rng, bytes.length + 1);
  const text = Buffer.from(pick(rng, insertions), "latin1");
  return Buffer.concat([bytes.subarray(0, at), text, bytes.subarray(at + below(rng, 3))]);
}

function drawCuts(rng: Rng, { length }: Buffer): number[] {
  if (chance(rng, 0.1)) return Array.from({ length }, (_, at) => at); // byte by byte
  return Array.from({ length: below(rng, 6) }, () => below(rng, length + 1));
}

interface CheckOptions {
  readonly cuts: readonly number[];
  /** True if the response has to be accepted. */
  readonly valid: boolean;
}

async function check(read: typeof ours, response: Buffer, { cuts, valid }: CheckOptions): Promise<void> {
  const [found, expected] = [read(response, cuts), await theirs(response)];
  if (found === "refused" ? !valid : isDeepStrictEqual(found, expected)) return;
  const shown = JSON.stringify(response.toString("latin1").slice(0, 1000));
  throw new Error(
    `expected ${shown}, cut at ${JSON.stringify(cuts)}, to be read as by node:http, ${JSON.stringify(expected)}, ` +
      `got ${JSON.stringify(found)}`,
  );
}
