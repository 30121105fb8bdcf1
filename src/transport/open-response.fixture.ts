import type { ServerResponse } from "node:http";
import { type Gate, gate, get, httpServer, type LocalServer, transportTo } from "./local-server.fixture.ts";
import type { OpenResponse, Receiver, Transport } from "./transport.ts";

/** Notes all it is told: texts of chunks, then "end" or the error. */
export class Notes implements Receiver {
  readonly told: unknown[] = [];
  readonly #over: Gate = gate();
  #wanted: { readonly length: number; readonly come: Gate } | undefined;

  get text(): string {
    return this.told.filter((note) => typeof note === "string").join("");
  }

  get over(): Promise<void> {
    return this.#over.passed;
  }

  /** Resolves when so many characters have come in all. */
  async until(length: number): Promise<void> {
    this.#wanted = { length, come: gate() };
    this.#look();
    await this.#wanted.come.passed;
  }

  onChunk(chunk: Buffer): void {
    this.told.push(chunk.toString());
    this.#look();
  }

  onEnd(): void {
    this.told.push(["end"]);
    this.#over.pass();
  }

  onError(error: Error): void {
    this.told.push(error);
    this.#over.pass();
  }

  #look(): void {
    if (this.#wanted && this.text.length >= this.#wanted.length) this.#wanted.come.pass();
  }
}

/** Both sides of a response whose body has yet to come. */
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
  const asked = gate<ServerResponse>();
  const server = await httpServer((_, response) => {
    response.writeHead(200, setup.head).flushHeaders();
    asked.pass(response);
  });
  const ours = await transportTo(server).open(get("/", { signal: setup.signal }));
  return { server, ours, theirs: await asked.passed };
}

/** Enough of other traffic for anything that is on its way to have come. */
export async function meanwhile(transport: Transport): Promise<void> {
  for (let round = 0; round < 50; round++) await transport.send(get("/meanwhile"));
}

/** A body is framed in one of two ways, of which chunks go past undici. */
export const framings: readonly Framing[] = [
  { name: "a body in chunks", head: () => ({}) },
  { name: "a body with a length", head: (bytes: number) => ({ "content-length": String(bytes) }) },
];

export interface Framing {
  readonly name: string;
  /** For a body of so many bytes. */
  readonly head: (bytes: number) => Record<string, string>;
}

/** More than is ever read at a time. */
export const much: number = 1024 * 1024;
