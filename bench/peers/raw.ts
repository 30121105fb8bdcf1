import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import type { Socket } from "node:net";
import { givenArguments, printFigure, repeat, startMeter } from "./probe.ts";
import { openRawSocket } from "./raw-socket.ts";

/**
 * The cheapest possible client: it reads responses and only detects their end.
 * Its figures are the limits of the stub, over `--transport=plain`, `tls` or `h2`.
 */
const args = givenArguments();
const path = args.path ?? "";
const inFlight = Number(args["in-flight"] ?? 1);
/** Counts events of one watch, or responses. */
const count = Number(args.size) + Number(args.warmup);
const ca = readFileSync(args.ca ?? "", "utf8");

async function main(): Promise<never> {
  const meter = startMeter();
  const bytes = args.transport === "h2" ? await runHttp2() : await runHttp1();
  const { seconds, cpuUs } = meter();
  const done = count * Number(args["per-reply"] ?? 1);
  printFigure("rate", done / seconds);
  printFigure("bytes", bytes / 1e6 / seconds);
  printFigure("client cpu", cpuUs / done);
  process.exit(0);
}

async function runHttp1(): Promise<number> {
  if (args.operation === "watch") return readToEnd(path);
  const lines = Array.from({ length: inFlight }, () => new Line());
  await repeat({ times: count, inFlight }, async () => {
    const line = lines.pop() ?? new Line();
    await line.exchange(path);
    lines.push(line);
  });
  return lines.reduce((sum, line) => sum + line.bytes, 0);
}

function open(each: (length: number, buffer: Buffer) => void): Socket {
  return openRawSocket({ url: (args.transport === "tls" ? args.secure : args.plain) ?? "", ca, each });
}

/** Reads one response to the end of its connection. */
function readToEnd(target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let sum = 0;
    const socket = open((length) => {
      sum += length;
    });
    socket.on("error", reject).on("close", () => resolve(sum));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n`);
  });
}

/** One connection with one request at a time. */
class Line {
  bytes = 0;
  #answered: () => void = () => {};
  readonly #socket = open((length, buffer) => {
    this.bytes += length;
    if (endsReply(buffer, length)) this.#answered();
  });

  exchange(target: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#socket.removeAllListeners("error").once("error", reject);
      this.#socket.write(`GET ${target} HTTP/1.1\r\nHost: stub\r\n\r\n`);
    });
  }
}

/** Returns true if the bytes end with the last chunk, `0\r\n\r\n`. The stub's objects end in a brace. */
function endsReply(buffer: Uint8Array, length: number): boolean {
  return buffer[length - 1] === 10 && buffer[length - 3] === 10 && buffer[length - 5] === 48;
}

async function runHttp2(): Promise<number> {
  const session = connectHttp2(args.secure ?? "", { ca, settings: { initialWindowSize: 16 * 1024 * 1024 } });
  let sum = 0;
  await repeat({ times: args.operation === "watch" ? 1 : count, inFlight }, async () => {
    const length = await readStream(session);
    sum += length;
  });
  return sum;
}

function readStream(session: ClientHttp2Session): Promise<number> {
  return new Promise((resolve, reject) => {
    let sum = 0;
    const stream = session.request({ ":path": path });
    stream.on("data", (bytes: Buffer) => {
      sum += bytes.length;
    });
    stream.on("error", reject).on("end", () => resolve(sum));
  });
}

await main();
