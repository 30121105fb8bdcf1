import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { known } from "./authentication.ts";
import type { Handler, ServerRequest } from "./exchange.ts";
import { listen } from "./http-front.ts";

interface Got {
  readonly status: number | undefined;
  readonly body: string;
}

function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Got> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, rest, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

const echo: Handler = {
  handle: async ({ method, path, query, body, user }) => ({
    type: "whole",
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify([method, path, query.toString(), body.toString(), user.username]),
  }),
};

test("a request is handed over as it came, and its answer sent back", async () => {
  await using front = await listen(echo);
  expect(await send(`${front.url}/api/v1/pods?limit=5`, { method: "POST", body: "{}" })).toEqual({
    status: 200,
    body: JSON.stringify(["POST", "/api/v1/pods", "limit=5", "{}", "kubernetes-admin"]),
  });
});

test("a body over three mebibytes is refused with a Status", async () => {
  await using front = await listen(echo);
  const { status, body } = await send(front.url, { method: "POST", body: "x".repeat(3 * 1024 * 1024 + 1) });
  expect([status, JSON.parse(body).message]).toEqual([413, "Request entity too large: limit is 3145728"]);
});

test("those whom the authenticator does not know are unauthorized", async () => {
  const anna = { username: "anna", groups: [] };
  await using front = await listen(echo, { authenticate: known(new Map([["secret", anna]])) });
  const asked = await Promise.all(
    [{}, { authorization: "Bearer wrong" }, { authorization: "Bearer secret" }].map((headers) =>
      send(front.url, { headers }),
    ),
  );
  expect(asked.map(({ status }) => status)).toEqual([401, 401, 200]);
});

test("beyond loopback it listens only for those it can tell apart", async () => {
  await expect(listen(echo, { host: "0.0.0.0" })).rejects.toThrow("expected an authenticate option");
});

test("a stream is sent as it comes, and a client that goes is told to the server", async () => {
  let seen: ServerRequest | undefined;
  const handler: Handler = {
    async handle(request) {
      seen = request;
      return {
        type: "stream",
        status: 200,
        headers: {},
        start: (sink) => void sink.write(Buffer.from("first\n")),
      };
    },
  };
  await using front = await listen(handler);
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(front.url, (response) => {
      response.once("data", (chunk: Buffer) => {
        expect(chunk.toString()).toBe("first\n");
        seen?.signal.addEventListener("abort", () => resolve());
        request.destroy();
      });
    });
    request.on("error", reject);
    request.end();
  });
  expect(seen?.signal.aborted).toBe(true);
});

test("closing ends what is open", async () => {
  const handler: Handler = {
    handle: async () => ({
      type: "stream",
      status: 200,
      headers: {},
      start: (sink) => void sink.write(Buffer.from("x")),
    }),
  };
  const front = await listen(handler);
  const ended = send(front.url).catch((error: Error) => error.message);
  await new Promise<void>((resolve) => {
    const waiting = httpRequest(front.url, () => resolve());
    waiting.on("error", () => {});
    waiting.end();
  });
  await front.close();
  expect(await ended).toMatch(/aborted|reset|hang up/);
});

test("an address in use is the system's error", async () => {
  await using front = await listen(echo);
  const port = Number(new URL(front.url).port);
  await expect(listen(echo, { port })).rejects.toThrow("EADDRINUSE");
});
