import { expect, test } from "vitest";
import type { Handler, ServerRequest, Sink } from "../apiserver/index.ts";
import { settled } from "../base/index.ts";
import { inProcessTransport } from "./in-process-transport.ts";

const user = { username: "anna", groups: [] };

/** A server that answers everything with a body in pieces, under the test's control. */
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

function recorder(): { readonly heard: string[]; readonly receiver: Parameters<OpenReceive>[0] } {
  const heard: string[] = [];
  const receiver = {
    onChunk: (chunk: Buffer) => void heard.push(chunk.toString()),
    onEnd: () => void heard.push("<end>"),
    onError: (error: Error) => void heard.push(`<${error.message}>`),
  };
  return { heard, receiver };
}
type OpenReceive = Awaited<ReturnType<ReturnType<typeof inProcessTransport>["open"]>>["receive"];

test("a request arrives as a server sees it, and its answer whole", async () => {
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

test("what is written before there is a receiver waits for it, in order, and the end with it", async () => {
  const { handler, sink } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  sink().write(Buffer.from("a"));
  sink().write(Buffer.from("b"));
  sink().end();
  const { heard, receiver } = recorder();
  response.receive(receiver);
  await settled();
  expect(heard).toEqual(["ab", "<end>"]);
});

test("a receiver is told in a later turn than the write", async () => {
  const { handler, sink } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  const { heard, receiver } = recorder();
  response.receive(receiver);
  sink().write(Buffer.from("a"));
  expect(heard).toEqual([]);
  await settled();
  expect(heard).toEqual(["a"]);
});

test("a paused receiver makes the writer wait until it resumes", async () => {
  const { handler, sink } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  const { heard, receiver } = recorder();
  response.receive(receiver);
  response.pause();
  sink().onDrain(() => heard.push("<drain>"));
  expect(sink().write(Buffer.from("a"))).toBe(false);
  await settled();
  expect(heard).toEqual([]);
  response.resume();
  await settled();
  expect(heard).toEqual(["a", "<drain>"]);
});

test("closing tells the server that the client is gone, and the receiver nothing more", async () => {
  const { handler, sink, request } = streaming();
  const response = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  const { heard, receiver } = recorder();
  response.receive(receiver);
  response.close();
  sink().write(Buffer.from("late"));
  await settled();
  expect([heard, request().signal.aborted]).toEqual([[], true]);
});

test("an aborted signal and a closed transport end what is open", async () => {
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
  expect([first.heard, second.heard]).toEqual([["<enough>"], ["<the transport is closed>"]]);
});

test("what a receiver throws ends the answer, and is what it is told", async () => {
  const { handler, sink, request } = streaming();
  const { heard, receiver } = recorder();
  const opened = await inProcessTransport(handler, { user }).open({ method: "GET", path: "/" });
  opened.receive({
    ...receiver,
    onChunk() {
      throw new Error("not for me");
    },
  });
  sink().write(Buffer.from("a"));
  sink().write(Buffer.from("b"));
  await settled();
  expect([heard, request().signal.aborted]).toEqual([["<not for me>"], true]);
});

test("a header that was sent once is no list, as over a network", async () => {
  const headers = { warning: ["299 - a"], "set-cookie": ["a=1", "b=2"], "content-type": "text/plain" };
  const handler: Handler = { handle: async () => ({ type: "buffered", status: 200, headers, body: "" }) };
  const { headers: received } = await inProcessTransport(handler, { user }).send({
    method: "GET",
    path: "/",
  });
  expect(received).toEqual({ ...headers, warning: "299 - a" });
});
