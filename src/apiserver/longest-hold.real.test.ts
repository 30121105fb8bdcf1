import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realClock } from "../base/index.ts";
import {
  defineThings,
  type HostileRequest,
  type HostileTask,
  hostileRequests,
  sendHostile,
} from "./hostile-requests.fixture.ts";
import { exchange, testServer } from "./requests.fixture.ts";

/**
 * The goal is 100 ms on an idle machine. The bound is five times as much, because test machines are slower and busy.
 * The requests that this test was written for held the event loop for seconds.
 */
const maxHoldMs = 500;
/**
 * One call of the library for Go's regular expressions, which takes about 0.1 us for each character and cannot pause.
 */
const maxHoldOfPatternMs = 2000;
const rounds = 3;

const server = testServer({ clock: realClock });
beforeAll(() => defineThings(server));
afterAll(() => server[Symbol.dispose]());

/** Sizes from above the body limits downwards: 3 MiB, and 30,000 fields and list elements. */
const sizes = [100_000, 30_000, 20_000, 14_000, 9_800, 7_000, 5_000, 3_500, 2_500, 1_200];

test.each(Object.entries(hostileRequests(server)))(
  "%s: the largest accepted request holds the event loop for a short time",
  async (title, task) => {
    const request = await largest(task);
    const holds: number[] = [];
    for (let round = 0; round < rounds; round += 1) holds.push(await maxHoldOfMs(request));
    const best = Math.min(...holds);
    console.log(`${best.toFixed(0).padStart(5)} ms  ${title}: ${(request.body.length / 1e6).toFixed(2)} MB`);
    expect(best).toBeLessThanOrEqual(title.includes("pattern") ? maxHoldOfPatternMs : maxHoldMs);
  },
  60_000,
);

/** Returns the largest request that the server accepts. */
async function largest(task: HostileTask): Promise<HostileRequest> {
  for (const size of sizes) {
    const request = await Promise.resolve(task(size)).catch(() => undefined); // the object is too large to be stored
    if (request && (await sendHostile(server, request)).code !== 413) return request;
  }
  throw new Error("expected a request that is read, got 413 for each size");
}

/** Sends a request. Returns the longest CPU time between two turns of the event loop. */
async function maxHoldOfMs(request: HostileRequest): Promise<number> {
  let [maxMs, last, answered] = [0, processorMs(), false];
  const turn = (): void => {
    const now = processorMs();
    maxMs = Math.max(maxMs, now - last);
    last = processorMs();
    if (!answered) setImmediate(turn);
  };
  setImmediate(turn);
  await exchange(server.server, request.line, request);
  turn();
  answered = true;
  return maxMs;
}

/** Returns the CPU time of the main thread in milliseconds, so that other processes do not count. */
function processorMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
  } catch {
    return performance.now(); // not on Linux
  }
}
