import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Status } from "../api/index.ts";
import { asError } from "../base/index.ts";
import { ApiError, type ApiRequest, ConnectionError, type MessageConnection } from "../transport/index.ts";

/** The result of a command that ran. */
export interface ExitStatus {
  /** The exit code of the command: 0 is success, 137 is SIGKILL. 0 if an attached container closed its streams. */
  readonly code: number;
}

export interface CommandOutput extends ExitStatus {
  readonly stdout: string;
  readonly stderr: string;
}

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * A command that runs in a container, or a container that this process is attached to.
 *
 * Output that is not read stops the command when the buffers are full. Read both streams, call `resume()` on the one
 * that is not needed, or do not request it.
 */
export interface RemoteSession extends AsyncDisposable {
  /** Input of the command, if `stdin` was requested. `end()` closes it, and output continues. */
  readonly stdin: Writable;
  /** Ends with the command. Fails if the connection breaks, so that partial output is not taken for complete output. */
  readonly stdout: Readable;
  /** Ends and fails like `stdout`. Empty with a terminal: its one output is `stdout`. */
  readonly stderr: Readable;
  /**
   * Resolves when the command has ended, with its exit code. Rejects with an `ApiError` if it could not be run, and with
   * a `ConnectionError` if the connection breaks first.
   */
  readonly exited: Promise<ExitStatus>;
  /** Reads both outputs as text, and waits for the end. */
  output(): Promise<CommandOutput>;
  /** Sets the size of the terminal. Throws without `tty`. */
  resize(size: TerminalSize): void;
  /** Ends the connection. The command may continue to run. */
  close(): Promise<void>;
}

export interface RequestedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The number of each stream, which is the first byte of its messages. */
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

/** A session over a WebSocket with the protocol v5.channel.k8s.io. */
export class ChannelSession implements RemoteSession {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ExitStatus>;
  readonly #connection: MessageConnection;
  readonly #request: ApiRequest;
  readonly #tty: boolean;
  /** Outputs that are full. The connection is paused while there is one. */
  readonly #full = new Set<Readable>();
  /** The status, as JSON. It is the last message. */
  #status = "";
  #settle: (result: ExitStatus | Error) => void = () => {};

  constructor(connection: MessageConnection, streams: RequestedStreams, request: ApiRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#tty = streams.tty;
    this.stdin = streams.stdin ? this.#input() : notRequested();
    this.stdout = this.#output(streams.stdout);
    this.stderr = this.#output(streams.stderr);
    this.exited = new Promise((resolve, reject) => {
      this.#settle = (result) => (result instanceof Error ? reject(result) : resolve(result));
    });
    this.exited.catch(() => {}); // the streams report it, too
    connection.receive({
      onMessage: (message) => this.#onMessage(message),
      onEnd: () => this.#onEnd(),
      onError: (error) => this.#fail(error),
    });
  }

  async output(): Promise<CommandOutput> {
    const [stdout, stderr, { code }] = await Promise.all([text(this.stdout), text(this.stderr), this.exited]);
    return { code, stdout, stderr };
  }

  resize({ columns, rows }: TerminalSize): void {
    if (!this.#tty) throw new Error("expected a session with a terminal, got one without; set tty: true");
    const size = JSON.stringify({ Width: columns, Height: rows }); // the names of the protocol
    this.#connection.send(message(channels.resize, Buffer.from(size)), () => {});
  }

  async close(): Promise<void> {
    this.#connection.close();
    this.#fail(new Error(`session of ${pathOf(this.#request)} closed before its command has ended`));
    await this.#connection.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #input(): Writable {
    const stdin = new Writable({
      decodeStrings: true,
      write: (chunk: Buffer, _encoding, done) => this.#send(chunk, done),
      final: (done) => this.#connection.send(Buffer.from([channels.close, channels.stdin]), done),
    });
    stdin.on("error", () => {}); // `exited` reports the failure; writers get it in their callbacks
    return stdin;
  }

  /** Sends input in messages of limited size, one after the other. */
  #send(chunk: Buffer, done: (error?: Error | null) => void): void {
    const rest = chunk.subarray(maxInputBytes);
    this.#connection.send(message(channels.stdin, chunk.subarray(0, maxInputBytes)), (error) => {
      if (error || rest.length === 0) done(error);
      else this.#send(rest, done);
    });
  }

  #output(requested: boolean): Readable {
    const output = new Readable({ read: () => this.#resume(output) });
    output.on("error", () => {}); // readers get it, and `exited` reports it
    output.on("close", () => this.#resume(output));
    if (!requested) output.push(null);
    return output;
  }

  #resume(output: Readable): void {
    if (this.#full.delete(output) && this.#full.size === 0) this.#connection.resume();
  }

  #onMessage(data: Buffer): void {
    const [channel] = data;
    const payload = data.subarray(1);
    if (payload.length === 0) return; // servers open each channel with an empty message
    if (channel === channels.stdout) this.#push(this.stdout, payload);
    else if (channel === channels.stderr) this.#push(this.stderr, payload);
    else if (channel === channels.status) this.#status += payload.toString();
  }

  #push(output: Readable, payload: Buffer): void {
    if (output.destroyed || output.readableEnded || output.push(payload)) return;
    if (this.#full.size === 0) this.#connection.pause();
    this.#full.add(output);
  }

  #onEnd(): void {
    try {
      const result = exitStatusOf(this.#status, this.#request);
      for (const output of [this.stdout, this.stderr]) if (!output.readableEnded) output.push(null);
      this.stdin.destroy();
      this.#settle(result);
    } catch (error) {
      this.#fail(asError(error));
    }
  }

  #fail(error: Error): void {
    for (const stream of [this.stdin, this.stdout, this.stderr]) stream.destroy(error);
    this.#settle(error);
  }
}

function message(channel: number, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([channel]), payload]);
}

/** Returns the exit code in a `Status`. Throws if it contains another failure, or is missing. */
function exitStatusOf(text: string, request: ApiRequest): ExitStatus {
  const status = text === "" ? undefined : statusOf(text);
  if (!status) throw withoutStatus(text, request);
  if (status.status === "Success") return { code: 0 };
  const cause = status.details?.causes?.find(({ reason }) => reason === "ExitCode");
  const code = Number(cause?.message);
  if (status.reason === "NonZeroExitCode" && Number.isInteger(code)) return { code };
  const { code: httpCode = 500, reason = "InternalError", message: got = "no message", details } = status;
  throw new ApiError(`expected ${pathOf(request)} to run, got ${httpCode} ${reason}: ${got}`, {
    code: httpCode,
    reason,
    details,
    request,
  });
}

function statusOf(text: string): Status | undefined {
  try {
    return JSON.parse(text) as Status; // from the API server
  } catch {
    return undefined; // reported by the caller
  }
}

function withoutStatus(text: string, request: ApiRequest): Error {
  const got = text === "" ? "the end of the connection" : JSON.stringify(text);
  const what = `expected the exit status of ${pathOf(request)}, got ${got}`;
  return new ConnectionError(what, { code: "UND_ERR_SOCKET", request });
}

function pathOf({ path }: ApiRequest): string {
  return path.split("?")[0] ?? path;
}

/** Returns the input of a session without one. Writing to it is an error that names the option. */
function notRequested(): Writable {
  const refusal = new Error("expected a session with input, got one without; set stdin: true");
  const stdin = new Writable({ write: (_chunk, _encoding, done) => done(refusal) });
  stdin.on("error", () => {}); // writers get it in their callbacks
  return stdin;
}

/** The size of client-go's messages. */
const maxInputBytes = 32 * 1024;
