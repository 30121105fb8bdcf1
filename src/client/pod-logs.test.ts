import { expect, test } from "vitest";
import { settled } from "../base/index.ts";
import { FrameTooLongError } from "../transport/index.ts";
import { connected } from "./connected.fixture.ts";
import type { LogOptions } from "./index.ts";
import { type Reply, refused, type ScriptedTransport, Stream } from "./scripted-transport.fixture.ts";

function logs(
  reply: Reply | Stream,
  options?: LogOptions,
): {
  readonly transport: ScriptedTransport;
  readonly lines: AsyncIterable<string>;
} {
  const { client, transport } = connected(reply);
  return { transport, lines: client.logs("a", options) };
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

test("logs yields all lines, including empty ones and a last one without a newline", async () => {
  const { lines, transport } = logs({ body: "one\n\ntwo\r\n\nžlutý" });
  expect(await all(lines)).toEqual(["one", "", "two\r", "", "žlutý"]);
  expect(transport.lines).toEqual(["GET /api/v1/namespaces/home/pods/a/log"]);
});

test("lines are complete for any chunks", async () => {
  const stream = new Stream();
  const { lines } = logs(stream);
  for (const byte of Buffer.from("žlutý kůň\n\nend")) stream.bytes(Buffer.from([byte]));
  stream.end();
  expect(await all(lines)).toEqual(["žlutý kůň", "", "end"]);
});

test("the options of logs are sent in the query", async () => {
  const { lines, transport } = logs(
    { body: "" },
    {
      container: "main",
      follow: true,
      previous: false,
      timestamps: true,
      tailLines: 10,
      sinceSeconds: 60,
      limitBytes: 1000,
    },
  );
  expect(await all(lines)).toEqual([]);
  expect(transport.lines).toEqual([
    "GET /api/v1/namespaces/home/pods/a/log?container=main&follow=true&previous=false&timestamps=true&tailLines=10&sinceSeconds=60&limitBytes=1000",
  ]);
});

test("a Pod without a node has an empty log", async () => {
  expect(await all(logs({ status: 204, body: "" }).lines)).toEqual([]);
});

test("a failed response is an error", async () => {
  const { lines } = logs(refused(400, "BadRequest"));
  await expect(all(lines)).rejects.toMatchObject({ name: "ApiError", code: 400, reason: "BadRequest" });
});

test("a broken connection is an error after the received lines", async () => {
  const stream = new Stream();
  const lines = logs(stream).lines[Symbol.asyncIterator]();
  stream.text("one\ntw");
  stream.cut();
  expect(await lines.next()).toEqual({ done: false, value: "one" });
  await expect(lines.next()).rejects.toThrow("got ECONNRESET");
});

test("leaving the loop ends the request", async () => {
  const stream = new Stream();
  const { lines } = logs(stream, { follow: true });
  stream.text("one\ntwo\n");
  for await (const line of lines) {
    expect(line).toBe("one");
    break;
  }
  expect(stream.closed).toBe(true);
});

test("an abort ends the log with the reason", async () => {
  const stream = new Stream();
  const abort = new AbortController();
  const reading = all(logs(stream, { signal: abort.signal }).lines);
  await settled();
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(stream.closed).toBe(true);
});

test("a slow reader pauses the response", async () => {
  const stream = new Stream();
  const lines = logs(stream).lines[Symbol.asyncIterator]();
  stream.text("a\n".repeat(1500));
  stream.text("b\n");
  await lines.next();
  expect(stream.paused).toBe(true);
  for (let count = 1; count < 1500; count++) await lines.next();
  expect(stream.paused).toBe(false);
  expect(await lines.next()).toEqual({ done: false, value: "b" });
  await lines.return?.();
});

test("a line that is too long is an error", async () => {
  const stream = new Stream();
  const reading = all(logs(stream).lines);
  await settled();
  for (let megabytes = 0; megabytes < 65; megabytes++) stream.bytes(Buffer.alloc(1024 * 1024, "a"));
  await expect(reading).rejects.toBeInstanceOf(FrameTooLongError);
  expect(stream.closed).toBe(true);
});
