import { once } from "node:events";
import { expect, test } from "vitest";
import type { MessageConnection, MessageReceiver, Transport, UpgradeRequest } from "../transport/index.ts";
import { clientOver } from "./connect.ts";
import type { RemoteSession } from "./remote-session.ts";
import { ScriptedTransport } from "./scripted-transport.fixture.ts";

/** The server's side of a session. */
class Server {
  readonly requests: UpgradeRequest[] = [];
  /** Messages of the client, as [channel, text]. */
  readonly messages: [number, string][] = [];
  readonly calls: string[] = [];
  #receiver: MessageReceiver | undefined;

  readonly connection: MessageConnection = {
    receive: (receiver) => {
      this.#receiver = receiver;
    },
    send: (message, onSent) => {
      const [channel = -1, ...rest] = message;
      this.messages.push([channel, Buffer.from(rest).toString()]);
      onSent();
    },
    pause: () => void this.calls.push("pause"),
    resume: () => void this.calls.push("resume"),
    close: () => void this.calls.push("close"),
    closed: Promise.resolve(),
  };

  get transport(): Transport {
    const below = new ScriptedTransport();
    return Object.assign(below, {
      upgrade: async (request: UpgradeRequest) => {
        this.requests.push(request);
        return this.connection;
      },
    });
  }

  get client(): ReturnType<typeof clientOver> {
    return clientOver(this.transport, { namespace: "home" });
  }

  send(channel: number, text: string | Buffer): void {
    this.#receiver?.onMessage(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  }

  end(status?: object): void {
    if (status) this.send(3, JSON.stringify(status));
    this.#receiver?.onEnd();
  }

  fail(error: Error): void {
    this.#receiver?.onError(error);
  }
}

async function session(
  options: Parameters<ReturnType<typeof clientOver>["exec"]>[2] = {},
): Promise<{ server: Server; opened: RemoteSession }> {
  const server = new Server();
  return { server, opened: await server.client.exec("web", ["sh", "-c", "a b&c"], options) };
}

const success = { metadata: {}, status: "Success" };

test("the request names the container, the streams and each word of the command", async () => {
  const { server } = await session({ container: "app", stdin: true });
  expect(server.requests).toMatchObject([
    {
      method: "GET",
      path:
        "/api/v1/namespaces/home/pods/web/exec?container=app&stdin=true&stdout=true&stderr=true&tty=false" +
        "&command=sh&command=-c&command=a%20b%26c",
      protocol: "v5.channel.k8s.io",
    },
  ]);
});

test("the end of the input is sent once, after the input", async () => {
  const { server, opened } = await session({ stdin: true });
  opened.stdin.end("hello");
  await once(opened.stdin, "finish");
  expect(server.messages).toEqual([
    [0, "hello"],
    [255, "\0"],
  ]);
});

test("input is sent in messages of at most 32 KiB", async () => {
  const { server, opened } = await session({ stdin: true });
  opened.stdin.write("a".repeat(70 * 1024));
  expect(server.messages.map(([channel, text]) => [channel, text.length])).toEqual([
    [0, 32_768],
    [0, 32_768],
    [0, 6_144],
  ]);
});

test("output that is not read pauses the connection, and reading it resumes", async () => {
  const { server, opened } = await session();
  for (const channel of [1, 2, 1]) server.send(channel, Buffer.alloc(64 * 1024)); // fills a buffer of every Node version
  expect(server.calls).toEqual(["pause"]);
  opened.stdout.resume();
  await new Promise(setImmediate);
  expect(server.calls).toEqual(["pause"]);
  opened.stderr.resume();
  await new Promise(setImmediate);
  expect(server.calls).toEqual(["pause", "resume"]);
});

test("output that the reader has given up does not pause the connection", async () => {
  const { server, opened } = await session();
  server.send(1, Buffer.alloc(64 * 1024));
  opened.stdout.destroy();
  await once(opened.stdout, "close");
  server.send(1, Buffer.alloc(64 * 1024));
  expect(server.calls).toEqual(["pause", "resume"]);
});

test("messages of unknown channels and empty messages are ignored", async () => {
  const { server, opened } = await session();
  for (const channel of [0, 1, 2, 3, 4]) server.send(channel, "");
  server.send(9, "new");
  server.send(1, "text");
  server.end(success);
  expect(await opened.output()).toEqual({ code: 0, stdout: "text", stderr: "" });
});

test.each([
  ["no status", undefined, "got the end of the connection"],
  ["no JSON", "soup", 'got "soup"'],
])("a session that ends with %s is an error for every reader", async (_, status, message) => {
  const { server, opened } = await session();
  server.send(1, "partial");
  if (status !== undefined) server.send(3, status);
  server.end();
  await expect(opened.exited).rejects.toThrow(
    `expected the exit status of /api/v1/namespaces/home/pods/web/exec, ${message}`,
  );
  await expect(opened.output()).rejects.toThrow("expected the exit status");
});

test("a status in several messages is one status", async () => {
  const { server, opened } = await session();
  const causes = [{ reason: "ExitCode", message: "137" }];
  const text = JSON.stringify({ status: "Failure", reason: "NonZeroExitCode", details: { causes } });
  server.send(3, text.slice(0, 20));
  server.send(3, text.slice(20));
  server.end();
  expect(await opened.exited).toEqual({ code: 137 });
});

test("a failure without a reader does not end the process", async () => {
  const { server, opened } = await session({ stdin: true });
  server.fail(new Error("broken"));
  await new Promise(setImmediate);
  expect([opened.stdin, opened.stdout, opened.stderr].map(({ destroyed }) => destroyed)).toEqual([
    true,
    true,
    true,
  ]);
});

test("using what was not requested is an error that names the option", async () => {
  const { opened } = await session();
  const error = await new Promise((resolve) => opened.stdin.write("x", resolve));
  expect(error).toEqual(new Error("expected a session with input, got one without; set stdin: true"));
  expect(() => opened.resize({ columns: 80, rows: 24 })).toThrow("set tty: true");
});

test("a terminal has one output", async () => {
  const { server, opened } = await session({ tty: true });
  server.send(1, "both");
  server.end(success);
  expect(await opened.output()).toEqual({ code: 0, stdout: "both", stderr: "" });
  await expect(server.client.exec("web", ["sh"], { tty: true, stderr: true })).rejects.toThrow(
    "expected stderr to be false with a terminal, got true",
  );
});

test("a command without words, and a session without streams, are refused", async () => {
  const { client, requests } = new Server();
  await expect(client.exec("web", [])).rejects.toThrow("expected a command as a list of words, got []");
  const noStreams = { stdout: false, stderr: false };
  await expect(client.attach("web", noStreams)).rejects.toThrow(
    "expected at least one of stdin, stdout and stderr",
  );
  expect(requests).toEqual([]);
});

test("a transport without WebSockets is an error that says what to do", async () => {
  const client = clientOver(new ScriptedTransport(), { namespace: "home" });
  await expect(client.exec("web", ["ls"])).rejects.toThrow(
    "expected a transport that opens WebSockets to https://scripted:6443, got one without `upgrade`; " +
      "pass it on in each layer of client.through",
  );
});

test("leaving the scope of a session closes it", async () => {
  const server = new Server();
  let exited: Promise<unknown> | undefined;
  {
    await using opened = await server.client.attach("web");
    exited = opened.exited;
  }
  expect(server.calls).toEqual(["close"]);
  await expect(exited).rejects.toThrow("session of /api/v1/namespaces/home/pods/web/attach closed before");
});
