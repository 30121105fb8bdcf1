import { request as httpRequest, type IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import type { Authenticator } from "../auth/authentication.ts";
import type { Handler, ServerRequest } from "../types/exchange.ts";
import { listen } from "./listen.ts";

interface Got {
  readonly status: number | undefined;
  readonly body: string;
}

function send(
  url: string,
  options: {
    method?: string;
    path?: string;
    headers?: Record<string, string | string[]>;
    body?: string;
  } = {},
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
    type: "buffered",
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify([method, path, query.toString(), body.toString(), user?.username]),
  }),
};

test("a request is passed to the handler and its response is sent", async () => {
  await using listener = await listen(echo);
  expect(await send(`${listener.url}/api/v1/pods?limit=5`, { method: "POST", body: "{}" })).toEqual({
    status: 200,
    body: JSON.stringify(["POST", "/api/v1/pods", "limit=5", "{}", "admin"]),
  });
});

test("a body above the limit is truncated just above it, and the client receives the response", async () => {
  const length: Handler = {
    handle: async ({ body }) => ({
      type: "buffered",
      status: 413,
      headers: {},
      body: String(body.length > 3 * 1024 * 1024),
    }),
  };
  await using listener = await listen(length);
  const sent = await send(listener.url, { method: "POST", body: "x".repeat(20 * 1024 * 1024) });
  expect(sent).toEqual({ status: 413, body: "true" });
});

test("an unauthenticated request is passed without a user and without a body", async () => {
  const anna = { username: "anna", groups: [] };
  const authenticator: Authenticator = {
    open: false,
    authenticate: ({ authorization }) => (authorization === "Bearer secret" ? anna : undefined),
  };
  await using listener = await listen(echo, { authenticator });
  const requests = await Promise.all(
    [{}, { authorization: "Bearer wrong" }, { authorization: "Bearer secret" }].map((headers) =>
      send(listener.url, { method: "POST", headers, body: "{}" }),
    ),
  );
  expect(requests.map(({ body }) => JSON.parse(body).slice(3))).toEqual([
    ["", null],
    ["", null],
    ["{}", "anna"],
  ]);
});

test("an open server does not listen beyond loopback", async () => {
  await expect(listen(echo, { host: "0.0.0.0" })).rejects.toThrow(
    "expected a server with users on 0.0.0.0, which is not loopback, got one without authentication; set users or listen on 127.0.0.1",
  );
});

test("a request target is split as it was sent: no part of it is a host or is resolved", async () => {
  await using listener = await listen(echo);
  const targets = ["//api/../x?a=%2F&b", "/a?b?c", "http://elsewhere/api?x=1", "/?", "/%zz"];
  const got = await Promise.all(targets.map((path) => send(listener.url, { path })));
  expect(got.map(({ body }) => JSON.parse(body).slice(1, 3))).toEqual([
    ["//api/../x", "a=%2F&b="],
    ["/a", "b%3Fc="],
    ["/api", "x=1"],
    ["/", ""],
    ["/%zz", ""],
  ]);
});

test("a request line as long as a selector of ten thousand names is accepted", async () => {
  await using listener = await listen(echo);
  const { status } = await send(`${listener.url}/?labelSelector=${"a,".repeat(100_000)}`);
  expect(status).toBe(200);
});

test("values of repeated impersonation headers stay separate, even if they contain commas", async () => {
  let received: ServerRequest | undefined;
  const handler: Handler = {
    handle(request) {
      received = request;
      return echo.handle(request);
    },
  };
  await using listener = await listen(handler);
  await send(listener.url, { headers: { "Impersonate-Group": ["a, b", "c"], Accept: ["x", "y"] } });
  expect([received?.headers["impersonate-group"], received?.headers.accept]).toEqual(["a, b\nc", "x, y"]);
});

test("a stream is sent as it is written, and the signal aborts when the client disconnects", async () => {
  let received: ServerRequest | undefined;
  const handler: Handler = {
    async handle(request) {
      received = request;
      return {
        type: "stream",
        status: 200,
        headers: {},
        start: (sink) => void sink.write(Buffer.from("first\n")),
      };
    },
  };
  await using listener = await listen(handler);
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(listener.url, (response) => {
      response.once("data", (chunk: Buffer) => {
        expect(chunk.toString()).toBe("first\n");
        received?.signal.addEventListener("abort", () => resolve());
        request.destroy();
      });
    });
    request.on("error", reject);
    request.end();
  });
  expect(received?.signal.aborted).toBe(true);
});

test("close() ends open connections", async () => {
  const handler: Handler = {
    handle: async () => ({
      type: "stream",
      status: 200,
      headers: {},
      start: (sink) => void sink.write(Buffer.from("x")),
    }),
  };
  const listener = await listen(handler);
  const ended = send(listener.url).catch((error: Error) => error.message);
  await new Promise<void>((resolve) => {
    const waiting = httpRequest(listener.url, () => resolve());
    waiting.on("error", () => {});
    waiting.end();
  });
  await listener.close();
  expect(await ended).toMatch(/aborted|reset|hang up/);
});

test("an address in use rejects with the system's error", async () => {
  await using listener = await listen(echo);
  const port = Number(new URL(listener.url).port);
  await expect(listen(echo, { port })).rejects.toThrow("EADDRINUSE");
});

test("a long compressible response is sent with gzip if the client accepts it", async () => {
  const body = "x".repeat(128 * 1024 + 1);
  const handler: Handler = {
    handle: async ({ path }) => ({
      type: "buffered",
      status: 200,
      headers: {},
      body: path === "/short" ? body.slice(1) : body,
      compressible: path !== "/page",
    }),
  };
  await using listener = await listen(handler);
  const requests = [
    ["/", "gzip"],
    ["/", "deflate, gzip "],
    ["/", "gzip;q=1"],
    ["/", "identity"],
    ["/short", "gzip"],
    ["/page", "gzip"],
  ] as const;
  const got = await Promise.all(
    requests.map(([path, encoding]) => encodingOf(`${listener.url}${path}`, { "accept-encoding": encoding })),
  );
  expect(got.map(({ encoding, vary }) => [encoding, vary])).toEqual([
    ["gzip", "Accept-Encoding"],
    ["gzip", "Accept-Encoding"],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(gunzipSync(got[0]?.bytes ?? "").toString()).toBe(body);
});

interface Encoded {
  readonly encoding: string | undefined;
  readonly vary: string | undefined;
  readonly bytes: Buffer;
}

function encodingOf(url: string, headers: Record<string, string>): Promise<Encoded> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      const { "content-encoding": encoding, vary } = response.headers;
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ encoding, vary, bytes: Buffer.concat(chunks) }));
    });
    request.on("error", reject);
    request.end();
  });
}

test("sockets are set to no delay", async () => {
  const setNoDelay = vi.spyOn(Socket.prototype, "setNoDelay");
  try {
    await using listener = await listen(echo);
    const port = Number(new URL(listener.url).port);
    await send(listener.url);
    const accepted = setNoDelay.mock.contexts.filter((socket) => (socket as Socket).localPort === port);
    expect([...new Set(accepted)]).toHaveLength(1);
    expect(setNoDelay.mock.calls[setNoDelay.mock.contexts.indexOf(accepted[0])]).toEqual([true]);
  } finally {
    setNoDelay.mockRestore();
  }
});

/** Responds with 64 chunks of 64 KiB, which is more than sockets buffer. */
const long: Handler = {
  handle: async () => ({
    type: "buffered",
    status: 200,
    headers: { "content-type": "text/plain" },
    body: Array.from({ length: 64 }, (_, index) => Buffer.alloc(64 * 1024, 97 + (index % 26))),
  }),
};

test("a slow reader receives a long body completely and in order", async () => {
  await using listener = await listen(long);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(listener.url, resolve).on("error", reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    await new Promise((next) => setImmediate(next));
  }
  const expected = Array.from({ length: 64 }, (_, index) =>
    String.fromCharCode(97 + (index % 26)).repeat(64 * 1024),
  );
  expect(Buffer.concat(chunks).equals(Buffer.from(expected.join("")))).toBe(true);
});

test("a reader that disconnects in the middle of a long body does not disturb others", async () => {
  await using listener = await listen(long);
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(listener.url, (response) => {
      response.once("data", () => {
        response.on("error", () => undefined); // the connection is closed on purpose
        response.on("close", resolve);
        request.destroy();
      });
    });
    request.on("error", reject).end();
  });
  expect((await send(listener.url)).body.length).toBe(64 * 64 * 1024);
});
