import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Lateness } from "./lateness.ts";
import { askForStream, givenArguments, printFigure, startMeter } from "./probe.ts";
import { openRawSocket } from "./raw-socket.ts";

/**
 * No client: a TLS connection that requests a watch and only reads when each event was sent.
 * Its latency is the cost of the stub, the kernel, TLS, Node and the rest of the machine: the floor for every reader of
 * the same stream. It prints `p50`, `p99` and, as `--cpu-figure`, its processor time per event.
 */
const { secure = "", ca = "", size, warmup, "cpu-figure": cpuFigure = "cpu" } = givenArguments();
const mark = Buffer.from('"bench.trimtab.dev/sent-us":"');
const stampLength = 16;
const expected = Number(size) + Number(warmup);

const lateness = new Lateness();
let seen = 0;
let meter = startMeter();

const socket = openRawSocket({ url: secure, ca: readFileSync(ca, "utf8"), each: findStamps });
const closed = once(socket, "close");
socket.write(
  "GET /api/v1/pods?watch=true&resourceVersion=1 HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n",
);
await askForStream(expected, { end: true });
await closed;
const { cpuUs } = meter();
if (seen !== expected) throw new Error(`expected ${expected} events until the watch ended, got ${seen}`);
lateness.print();
printFigure(cpuFigure, cpuUs / Number(size));
process.exit(0);

/**
 * No timestamp is split: the stub writes one event at a time, TLS makes it one record, and Node passes on whole
 * records.
 */
function findStamps(length: number, buffer: Buffer): void {
  const bytes = buffer.subarray(0, length);
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    const stamp = at + mark.length;
    lateness.note(() => bytes.toString("latin1", stamp, stamp + stampLength));
    seen += 1;
    if (seen === Number(warmup)) beginToMeasure();
  }
}

function beginToMeasure(): void {
  lateness.forget();
  meter = startMeter();
}
