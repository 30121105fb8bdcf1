import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Handler, Sink } from "../types/exchange.ts";
import { listen } from "./listen.ts";

function streaming(start: (sink: Sink) => void): Handler {
  return { handle: async () => ({ type: "stream", status: 200, headers: {}, start }) };
}

/** Reads a connection until the server closes it. */
function bytesFrom(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    socket.once("error", reject).once("close", () => resolve(text));
  });
}

test("each written piece is one chunk, even if several responses send it", async () => {
  const pieces = ["one\n", "a longer second\n", "zwölf\n"].map((text) => Buffer.from(text));
  const handler = streaming((sink) => {
    for (const piece of pieces) sink.write(piece);
    sink.end();
  });
  await using listener = await listen(handler);
  const head = "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
  const responses = await Promise.all([bytesFrom(listener.url, head), bytesFrom(listener.url, head)]);
  const body = "4\r\none\n\r\n10\r\na longer second\n\r\n7\r\nzwölf\n\r\n0\r\n\r\n";
  expect(responses.map((text) => text.slice(text.indexOf("\r\n\r\n") + 4))).toEqual([body, body]);
});

test("an HTTP/1.0 client gets the body without chunks", async () => {
  const handler = streaming((sink) => {
    sink.write(Buffer.from("one\n"));
    sink.end();
  });
  await using listener = await listen(handler);
  const text = await bytesFrom(listener.url, "GET / HTTP/1.0\r\n\r\n");
  expect(text.slice(text.indexOf("\r\n\r\n") + 4)).toBe("one\n");
});

test("onDrain is called once the client has read, and the connection serves the next request", async () => {
  const large = Buffer.alloc(1024 * 1024, "x");
  const calls: string[] = [];
  const handler = streaming((sink) => {
    if (sink.write(large)) throw new Error("expected write() of 1 MiB to return false, got true");
    sink.onDrain(() => {
      calls.push("drained");
      sink.end();
    });
  });
  await using listener = await listen(handler);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const lengths = [await lengthOf(listener.url, agent), await lengthOf(listener.url, agent)];
  agent.destroy();
  expect({ lengths, calls }).toEqual({ lengths: [1024 * 1024, 1024 * 1024], calls: ["drained", "drained"] });
});

function lengthOf(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once("end", () => resolve(bytes)).once("error", reject);
    });
    request.once("error", reject).end();
  });
}
