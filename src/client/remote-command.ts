import type { Transport, UpgradeRequest } from "../transport/index.ts";
import type { CallOptions } from "./options.ts";
import { ChannelSession, type RemoteSession, type RequestedStreams } from "./remote-session.ts";
import { withQuery } from "./resource-path.ts";

export interface AttachOptions extends CallOptions {
  /** Name of the container. @default the only one */
  readonly container?: string | undefined;
  /** True to send input. Without it, a command reads the end of its input. @default false */
  readonly stdin?: boolean | undefined;
  /** @default true */
  readonly stdout?: boolean | undefined;
  /** @default true, false with a terminal */
  readonly stderr?: boolean | undefined;
  /** True to use a terminal, whose one output is `stdout`. @default false */
  readonly tty?: boolean | undefined;
}

export type ExecOptions = AttachOptions;

/** A request for a session with a container. */
export interface RemoteCommand {
  readonly path: string;
  /** @default none, to attach */
  readonly command?: readonly string[] | undefined;
  readonly options: AttachOptions;
}

/** Opens a session. Resolves when the server has accepted it, and rejects with an `ApiError` if it refuses it. */
export async function remoteCommand(transport: Transport, sent: RemoteCommand): Promise<RemoteSession> {
  const { path, command = [], options } = sent;
  if (!transport.upgrade) throw withoutWebSockets(transport);
  const streams = streamsOf(options);
  const query = withQuery(path, { container: options.container, ...streams });
  const words = command.map((word) => `&command=${encodeURIComponent(word)}`);
  const request: UpgradeRequest = {
    method: "GET",
    path: query + words.join(""),
    protocol: "v5.channel.k8s.io",
    signal: options.signal,
  };
  return new ChannelSession(await transport.upgrade(request), streams, request);
}

function streamsOf(options: AttachOptions): RequestedStreams {
  const { tty = false, stdin = false, stdout = true, stderr = !tty } = options;
  if (tty && stderr) throw new TypeError("expected stderr to be false with a terminal, got true");
  if (!stdin && !stdout && !stderr)
    throw new TypeError("expected at least one of stdin, stdout and stderr, got none");
  return { stdin, stdout, stderr, tty };
}

/** Throws for a command that no server accepts. */
export function checkCommand(command: readonly string[]): void {
  if (typeof command === "string" || command.length === 0 || command[0] === "") {
    throw new TypeError(`expected a command as a list of words, got ${JSON.stringify(command)}`);
  }
}

function withoutWebSockets({ server }: Transport): Error {
  return new Error(
    `expected a transport that opens WebSockets to ${server}, got one without \`upgrade\`; ` +
      "pass it on in each layer of client.through",
  );
}
