import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import type { Told } from "./contender-main.fixture.ts";

/** Contenders that are processes, and what they have told, in the order it came. */
export class Processes implements AsyncDisposable {
  readonly told: (Told & { readonly from: Contending })[] = [];
  readonly #server: string;
  readonly #all: Contending[] = [];
  readonly #waiting = new Set<() => void>();

  /** @param server whom they contend at: each has a cable of its own there */
  constructor(server: string) {
    this.#server = server;
  }

  /** @param command of a program that tells `Told` on its standard output, given the server's address */
  async start(command: (server: string) => readonly [string, ...string[]]): Promise<void> {
    const cable = await Cable.to(this.#server);
    const [file, ...args] = command(cable.url);
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
    const contending = new Contending(child, cable, (told) => {
      this.told.push({ ...told, from: contending });
      this.#changed();
    });
    this.#all.push(contending);
    void contending.ended.then(() => this.#changed());
  }

  /** Who leads and has written, by what was told last, of those that nothing was done to. */
  get leader(): Leading | undefined {
    return this.told.findLast(
      ({ event, from, term }) => event === "wrote" && from.well && !this.#isOver(term),
    );
  }

  /** Resolves when another than that leads. */
  successor({ term }: Leading): Promise<Leading> {
    return this.until(() => (this.leader?.term === term ? undefined : this.leader));
  }

  /** What `find` gives, as soon as it gives something. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (let found = find(); ; found = find()) {
      if (found !== undefined) return found;
      const gone = this.#all.find((contending) => contending.well && contending.gone);
      if (gone) throw new Error("expected contenders to go on, got the end of one: see what it said");
      await new Promise<void>((wake) => this.#waiting.add(wake));
    }
  }

  /** Resolves when that was told of a time of leading. */
  async untilTold(event: Told["event"], term: string): Promise<void> {
    await this.until(() => this.told.find((told) => told.event === event && told.term === term));
  }

  /** Asks all to end, and waits until they have. */
  async close(): Promise<void> {
    for (const contending of this.#all) contending.terminate();
    await Promise.all(this.#all.map(({ ended }) => ended));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const contending of this.#all) contending.signal("SIGKILL");
    await Promise.all(this.#all.map(({ ended }) => ended));
    await Promise.all(this.#all.map(({ cable }) => cable[Symbol.asyncDispose]()));
  }

  #isOver(term: string): boolean {
    return this.told.some((told) => told.term === term && (told.event === "lost" || told.event === "done"));
  }

  #changed(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Who leads, under what name. */
export interface Leading {
  readonly from: Contending;
  readonly term: string;
}

/** One of them. */
export class Contending {
  readonly #child: ChildProcess;
  readonly cable: Cable;
  readonly ended: Promise<unknown>;
  /** Not so while the test does something to it. */
  well = true;

  constructor(child: ChildProcess, cable: Cable, onTold: (told: Told) => void) {
    this.#child = child;
    this.cable = cable;
    this.ended = once(child, "close");
    if (!child.stdout) throw new Error("expected a standard output, got none");
    createInterface(child.stdout).on("line", (line) => onTold(JSON.parse(line) as Told)); // the contender's own word
  }

  get gone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.gone) this.#child.kill(name);
  }

  /** Asks it to end in good order. */
  terminate(): void {
    this.well = false;
    this.signal("SIGTERM");
  }
}

/** A way to a server that can be cut as a network is: nothing arrives any more, and nobody is told. */
export class Cable implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param to address of the server: "https://127.0.0.1:6443" */
  static async to(to: string): Promise<Cable> {
    const { hostname, port } = new URL(to);
    const cable: Cable = new Cable(
      createServer((near) => cable.#join(near, connectTo(Number(port), hostname))),
    );
    cable.#server.listen(0, "127.0.0.1");
    await once(cable.#server, "listening");
    return cable;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // of a port, never of a path
  }

  cut(): void {
    this.#cut = true;
  }

  /** What was under way while it was cut is gone. */
  mend(): void {
    this.#cut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (chunk) => void (this.#cut || to.write(chunk)));
      from.on("error", () => {}); // the other end hears of it by "close"
      from.once("close", () => {
        this.#sockets.delete(from);
        if (!this.#cut) to.destroy();
      });
    }
  }
}

/** By whom the server was written to, in the order it took the writes; who goes on is named once. */
export async function turnsWritten(client: Client): Promise<string[]> {
  const made = (await client.list(ConfigMap, { namespace: "default" })).filter(
    ({ data }) => data?.by !== undefined,
  );
  const order = (object: ConfigMap): bigint => BigInt(object.metadata.resourceVersion ?? 0);
  made.sort((one, other) => (order(one) < order(other) ? -1 : 1));
  const names = made.map(({ data }) => data?.by ?? "");
  return names.filter((name, index) => name !== names[index - 1]);
}
