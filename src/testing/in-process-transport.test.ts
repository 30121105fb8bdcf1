import { expect, test } from "vitest";
import type { Handler, ServerRequest, Sink } from "../apiserver/index.ts";
import { settled } from "../base/index.ts";
import { inProcessTransport } from "./in-process-transport.ts";

const user = { username: "anna", groups: [] };

/** Returns a server that responds to every request with a body that the test streams. */
function streaming(): { readonly handler: Handler; sink(): Sink; request(): ServerRequest } {
  let sink: Sink | undefined;
  let seen: ServerRequest | undefined;
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("expected a request first");
    return value;
  };
  const handler: Handler = {
    async handle(request) {
      seen = request;
      const start = (given: Sink): void => {
        sink = given;
      };
      return { type: "stream", status: 200, headers: {}, start };
    },
  };
  return { handler, sink: () => started(sink), request: () => started(seen) };
}

function recorder(): { readonly received: string[]; readonly receiver: Parameters<OpenReceive>[0] } {
  const received: string[] = [];
  const receiver = {
    onChunk: (chunk: Buffer) => void received.push(chunk.toString()),
    onEnd: () => void received.push("<end>"),
    onError: (error: Error) => void received.push(`<${error.message}>`),
  };
  return { received, receiver };
}
type OpenReceive = Awaited<ReturnType<ReturnType<typeof inProcessTransport>["open"]>>["receive"];

test("the server receives the whole request, and the client the whole response", async () => {
  const requests: unknown[] = [];
  const handler: Handler = {
    async handle({ method, path, query, headers, body, user: who }) {
      requests.push([method, path, query.get("limit"), headers, body.toString(), who]);
      return { type: "buffered", status: 201, headers: { "content-type": "text/plain" }, body: "made" };
    },
  };
  const transport = inProcessTransport(handler, { user });
  const response = await transport.send({
    method: "POST",
    path: "/api/v1/pods?limit=5",
    headers: { Accept: "a", "impersonate-group": ["x", "y"] },
    body: "{}",
  });
  expect(requests).toEqual([
    ["POST", "/api/v1/pods", "5", { accept: "a", "impersonate-group": "x\ny" }, "{}", user],
  ]);
  expect({ ...response, body: response.body.toString() }).toEqual({
    status: 201,
    headers: { "content-type": "text/plain" },
    body: "made",
  });
});

test("chunks written before there is a receiver are buffered in order, and the end with them", async () => {
  const { handler, sink } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  sink().write(Buffer.from("a"));
  sink().write(Buffer.from("b"));
  sink().end();
  const { received, receiver } = recorder();
  response.receive(receiver);
  await settled();
  expect(received).toEqual(["ab", "<end>"]);
});

test("a receiver is notified in a later turn than the write", async () => {
  const { handler, sink } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  const { received, receiver } = recorder();
  response.receive(receiver);
  sink().write(Buffer.from("a"));
  expect(received).toEqual([]);
  await settled();
  expect(received).toEqual(["a"]);
});

test("a paused receiver makes the writer wait until it resumes", async () => {
  const { handler, sink } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  const { received, receiver } = recorder();
  response.receive(receiver);
  response.pause();
  sink().onDrain(() => received.push("<drain>"));
  expect(sink().write(Buffer.from("a"))).toBe(false);
  await settled();
  expect(received).toEqual([]);
  response.resume();
  await settled();
  expect(received).toEqual(["a", "<drain>"]);
});

test("closing a response aborts the server's request and sends the receiver nothing further", async () => {
  const { handler, sink, request } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  const { received, receiver } = recorder();
  response.receive(receiver);
  response.close();
  sink().write(Buffer.from("late"));
  await settled();
  expect([received, request().signal.aborted]).toEqual([[], true]);
});

test("an aborted signal and a closed transport end open responses", async () => {
  const { handler } = streaming();
  const transport = inProcessTransport(handler, { user });
  const aborter = new AbortController();
  const first = recorder();
  const second = recorder();
  (await transport.open({ method: "GET", path: "/", signal: aborter.signal })).receive(first.receiver);
  (await transport.open({ method: "GET", path: "/" })).receive(second.receiver);
  aborter.abort(new Error("enough"));
  await transport.close();
  await settled();
  expect([first.received, second.received]).toEqual([["<enough>"], ["<the transport is closed>"]]);
});

test("an error thrown by a receiver ends the response and is passed to onError", async () => {
  const { handler, sink, request } = streaming();
  const { received, receiver } = recorder();
  const opened = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  opened.receive({
    ...receiver,
    onChunk() {
      throw new Error("rejected");
    },
  });
  sink().write(Buffer.from("a"));
  sink().write(Buffer.from("b"));
  await settled();
  expect([received, request().signal.aborted]).toEqual([["<rejected>"], true]);
});

test("a header that was sent once is a string, as over a network", async () => {
  const headers = { warning: ["299 - a"], "set-cookie": ["a=1", "b=2"], "content-type": "text/plain" };
  const handler: Handler = { handle: async () => ({ type: "buffered", status: 200, headers, body: "" }) };
  const { headers: actual } = await inProcessTransport(handler, { user }).send({
    method: "GET",
    path: "/",
  });
  expect(actual).toEqual({ ...headers, warning: "299 - a" });
});
