import { expect, test } from "vitest";
import { ConnectionError } from "../http/connection-error.ts";
import { WatchFrames } from "./watch-frames.ts";

/** Returns the frames of a body in one chunk that then ends. */
function framesOf(body: string): string[] {
  const frames: string[] = [];
  const watch = new WatchFrames({ method: "GET", path: "/pods" }, (bytes, start, end) =>
    frames.push(bytes.toString("utf8", start, end)),
  );
  watch.open(0);
  watch.push(Buffer.from(body), 1);
  watch.end(2);
  return frames;
}

test.each([
  ['{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
  ['{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
  ["<html>\nSign in", ["<html>", "Sign in"]],
  ["", []],
])("the frames of %j are its lines, and the last one may have no newline", (body, frames) => {
  expect(framesOf(body)).toEqual(frames);
});

test.each(['{"a":1}\n{"b":', '{"a":{"b":{}}'])("%j ends in a truncated event", (body) => {
  expect(() => framesOf(body)).toThrow(
    expect.objectContaining({
      name: ConnectionError.name,
      code: "WATCH_BROKEN",
      message: "expected more from GET /pods, got a truncated event",
    }),
  );
});

test("a watch is alive from the head of its response to its last bytes or its end", () => {
  const watch = new WatchFrames({ method: "GET", path: "/" }, () => {});
  expect([watch.openedMs, watch.aliveMs]).toEqual([undefined, 0]);
  watch.open(1000);
  expect([watch.openedMs, watch.receivedMs, watch.aliveMs]).toEqual([1000, 1000, 0]);
  watch.push(Buffer.from("{"), 1500);
  expect([watch.receivedMs, watch.aliveMs]).toEqual([1500, 500]);
  watch.push(Buffer.from("}"), 2500);
  watch.end(4000);
  expect([watch.openedMs, watch.aliveMs]).toEqual([1000, 3000]);
});
