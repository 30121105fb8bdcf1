import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Lateness } from "./lateness.ts";
import { askForStream, givenArguments, printFigure, startMeter } from "./probe.ts";
import { openRawSocket } from "./raw-socket.ts";

/**
 * No client at all: a TLS connection that asks for a watch and looks for nothing but when each event was sent.
 *
 * How late they are here is what the stub, the kernel, TLS and Node take, and whatever else the machine does: the floor of
 * whoever reads the same stream. It prints `p50`, `p99` and, under the name `--cpu-figure`, its processor time for an event.
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

/** No stamp is cut in two: the stub writes an event at a time, TLS makes it one record, and Node hands on whole ones. */
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
