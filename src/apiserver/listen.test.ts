import { request as httpRequest, type IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import type { Authenticator } from "./authentication.ts";
import type { Handler, ServerRequest } from "./exchange.ts";
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

test("a request is handed over as it came, and its answer sent back", async () => {
  await using front = await listen(echo);
  expect(await send(`${front.url}/api/v1/pods?limit=5`, { method: "POST", body: "{}" })).toEqual({
    status: 200,
    body: JSON.stringify(["POST", "/api/v1/pods", "limit=5", "{}", "admin"]),
  });
});

test("of a body that is too long a little more than the limit is handed over, and the client hears the answer", async () => {
  const length: Handler = {
    handle: async ({ body }) => ({
      type: "buffered",
      status: 413,
      headers: {},
      body: String(body.length > 3 * 1024 * 1024),
    }),
  };
  await using front = await listen(length);
  const sent = await send(front.url, { method: "POST", body: "x".repeat(20 * 1024 * 1024) });
  expect(sent).toEqual({ status: 413, body: "true" });
});

test("somebody the authenticator does not know is handed over as nobody, without a body", async () => {
  const anna = { username: "anna", groups: [] };
  const authenticator: Authenticator = {
    open: false,
    authenticate: ({ authorization }) => (authorization === "Bearer secret" ? anna : undefined),
  };
  await using front = await listen(echo, { authenticator });
  const asked = await Promise.all(
    [{}, { authorization: "Bearer wrong" }, { authorization: "Bearer secret" }].map((headers) =>
      send(front.url, { method: "POST", headers, body: "{}" }),
    ),
  );
  expect(asked.map(({ body }) => JSON.parse(body).slice(3))).toEqual([
    ["", null],
    ["", null],
    ["{}", "anna"],
  ]);
});

test("beyond loopback it listens only for those it can tell apart", async () => {
  await expect(listen(echo, { host: "0.0.0.0" })).rejects.toThrow(
    "expected users to listen for on 0.0.0.0, which is not loopback, got a server that is open to anybody",
  );
});

test("a target is split as it came: nothing in it names a host or climbs", async () => {
  await using front = await listen(echo);
  const targets = ["//api/../x?a=%2F&b", "/a?b?c", "http://elsewhere/api?x=1", "/?", "/%zz"];
  const got = await Promise.all(targets.map((path) => send(front.url, { path })));
  expect(got.map(({ body }) => JSON.parse(body).slice(1, 3))).toEqual([
    ["//api/../x", "a=%2F&b="],
    ["/a", "b%3Fc="],
    ["/api", "x=1"],
    ["/", ""],
    ["/%zz", ""],
  ]);
});

test("a line as long as a selector of ten thousand names is taken", async () => {
  await using front = await listen(echo);
  const { status } = await send(`${front.url}/?labelSelector=${"a,".repeat(100_000)}`);
  expect(status).toBe(200);
});

test("values of impersonation headers are kept apart, whatever is in them", async () => {
  let seen: ServerRequest | undefined;
  const handler: Handler = {
    handle(request) {
      seen = request;
      return echo.handle(request);
    },
  };
  await using front = await listen(handler);
  await send(front.url, { headers: { "Impersonate-Group": ["a, b", "c"], Accept: ["x", "y"] } });
  expect([seen?.headers["impersonate-group"], seen?.headers.accept]).toEqual(["a, b\nc", "x, y"]);
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

test("a long answer about objects is sent in gzip to who takes it, and others as they are", async () => {
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
  await using front = await listen(handler);
  const asked = [
    ["/", "gzip"],
    ["/", "deflate, gzip "],
    ["/", "gzip;q=1"],
    ["/", "identity"],
    ["/short", "gzip"],
    ["/page", "gzip"],
  ] as const;
  const got = await Promise.all(
    asked.map(([path, encoding]) => encodingOf(`${front.url}${path}`, { "accept-encoding": encoding })),
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

test("what is written to a connection leaves at once, and waits for nothing to be acknowledged", async () => {
  const told = vi.spyOn(Socket.prototype, "setNoDelay");
  try {
    await using front = await listen(echo);
    const port = Number(new URL(front.url).port);
    await send(front.url);
    const accepted = told.mock.contexts.filter((socket) => (socket as Socket).localPort === port);
    expect([...new Set(accepted)]).toHaveLength(1);
    expect(told.mock.calls[told.mock.contexts.indexOf(accepted[0])]).toEqual([true]);
  } finally {
    told.mockRestore();
  }
});

/** Answers with 64 chunks of 64 KiB, which is more than sockets buffer. */
const long: Handler = {
  handle: async () => ({
    type: "buffered",
    status: 200,
    headers: { "content-type": "text/plain" },
    body: Array.from({ length: 64 }, (_, index) => Buffer.alloc(64 * 1024, 97 + (index % 26))),
  }),
};

test("a reader that is slow gets a long body whole and in order", async () => {
  await using front = await listen(long);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(front.url, resolve).on("error", reject).end();
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

test("a reader that leaves in the middle of a long body does not disturb others", async () => {
  await using front = await listen(long);
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(front.url, (response) => {
      response.once("data", () => {
        response.on("error", () => undefined); // the connection is cut by intent
        response.on("close", resolve);
        request.destroy();
      });
    });
    request.on("error", reject).end();
  });
  expect((await send(front.url)).body.length).toBe(64 * 64 * 1024);
});
