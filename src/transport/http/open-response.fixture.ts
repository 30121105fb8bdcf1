import type { ServerResponse } from "node:http";
import { type Gate, gate, get, httpServer, type LocalServer, transportTo } from "../local-server.fixture.ts";
import type { OpenResponse, Receiver, Transport } from "../transport.ts";

/** A receiver that records the text of each chunk, then "end" or the error. */
export class Notes implements Receiver {
  readonly received: unknown[] = [];
  readonly #over: Gate = gate();
  #wanted: { readonly length: number; readonly come: Gate } | undefined;

  get text(): string {
    return this.received.filter((note) => typeof note === "string").join("");
  }

  get over(): Promise<void> {
    return this.#over.passed;
  }

  /** Resolves when this many characters have arrived in total. */
  async until(length: number): Promise<void> {
    this.#wanted = { length, come: gate() };
    this.#look();
    await this.#wanted.come.passed;
  }

  onChunk(chunk: Buffer): void {
    this.received.push(chunk.toString());
    this.#look();
  }

  onEnd(): void {
    this.received.push(["end"]);
    this.#over.pass();
  }

  onError(error: Error): void {
    this.received.push(error);
    this.#over.pass();
  }

  #look(): void {
    if (this.#wanted && this.text.length >= this.#wanted.length) this.#wanted.come.pass();
  }
}

/** Returns both sides of an opened response without a body. */
export interface Opened {
  readonly server: LocalServer;
  readonly theirs: ServerResponse;
  readonly ours: OpenResponse;
}

export interface OpenedSetup {
  readonly head?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export async function opened(setup: OpenedSetup = {}): Promise<Opened> {
  const requested = gate<ServerResponse>();
  const server = await httpServer((_, response) => {
    response.writeHead(200, setup.head).flushHeaders();
    requested.pass(response);
  });
  const ours = await transportTo(server).open(get("/", { signal: setup.signal }));
  return { server, ours, theirs: await requested.passed };
}

/** Sends other requests, so that bytes in transit arrive. */
export async function meanwhile(transport: Transport): Promise<void> {
  for (let round = 0; round < 50; round++) await transport.send(get("/meanwhile"));
}

/** The two framings of a body. A chunked body bypasses undici. */
export const framings: readonly Framing[] = [
  { name: "a body in chunks", head: () => ({}) },
  { name: "a body with a length", head: (bytes: number) => ({ "content-length": String(bytes) }) },
];

export interface Framing {
  readonly name: string;
  /** Returns the headers for a body of this many bytes. */
  readonly head: (bytes: number) => Record<string, string>;
}

/** More bytes than one read returns. */
export const much: number = 1024 * 1024;
