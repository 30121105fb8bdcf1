import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Handler } from "../types/exchange.ts";
import { listen } from "./listen.ts";

const handler: Handler = {
  handle: async () => ({ type: "buffered", status: 200, headers: {}, body: "" }),
};

/** Returns the status line, the content type and the body of the response to these bytes. */
async function responseTo(bytes: string): Promise<unknown> {
  await using listener = await listen(handler);
  const { hostname, port } = new URL(listener.url);
  const text = await new Promise<string>((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString();
    });
    socket.on("end", () => resolve(received));
    socket.on("error", reject);
  });
  const [head = "", body] = text.split("\r\n\r\n");
  const [status, type] = head.split("\r\n");
  return [status, type, body];
}

const plainType = "Content-Type: text/plain; charset=utf-8";

// The responses are those of kube-apiserver 1.36.3.
test("an unknown method is not allowed", async () => {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "the server does not allow this method on the requested resource",
    reason: "MethodNotAllowed",
    details: {},
    code: 405,
  };
  expect(await responseTo("FROB /api/v1/pods HTTP/1.1\r\nhost: x\r\n\r\n")).toEqual([
    "HTTP/1.1 405 Method Not Allowed",
    "Content-Type: application/json",
    `${JSON.stringify(status)}\n`,
  ]);
});

test("headers of more than a mebibyte are too large", async () => {
  const long = "a".repeat(1024 * 1024);
  expect(await responseTo(`GET /${long} HTTP/1.1\r\nhost: x\r\n\r\n`)).toEqual([
    "HTTP/1.1 431 Request Header Fields Too Large",
    plainType,
    "431 Request Header Fields Too Large",
  ]);
});

test("a malformed request is a bad request", async () => {
  expect(await responseTo("GET api/v1/pods HTTP/1.1\r\nhost: x\r\n\r\n")).toEqual([
    "HTTP/1.1 400 Bad Request",
    plainType,
    "400 Bad Request",
  ]);
});
