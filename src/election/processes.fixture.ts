import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import type { ContenderReport } from "./contender-main.fixture.ts";

/** Contenders in separate processes, and their reports in the order of arrival. */
export class Processes implements AsyncDisposable {
  readonly reports: (ContenderReport & { readonly from: Contending })[] = [];
  readonly #server: string;
  readonly #all: Contending[] = [];
  readonly #waiting = new Set<() => void>();

  /** @param server URL of the server. Each contender reaches it through its own `Cable`. */
  constructor(server: string) {
    this.#server = server;
  }

  /** @param command Command of a program that prints `ContenderReport` lines, given the server's address */
  async start(command: (server: string) => readonly [string, ...string[]]): Promise<void> {
    const cable = await Cable.to(this.#server);
    const [file, ...args] = command(cable.url);
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
    const contending = new Contending(child, cable, (reports) => {
      this.reports.push({ ...reports, from: contending });
      this.#changed();
    });
    this.#all.push(contending);
    void contending.ended.then(() => this.#changed());
  }

  /** The contender that leads and has written, by its last report, unless the test disturbs it. */
  get leader(): CurrentLeader | undefined {
    return this.reports.findLast(
      ({ event, from, term }) => event === "wrote" && from.undisturbed && !this.#isOver(term),
    );
  }

  /** Resolves when another contender leads. */
  successor({ term }: CurrentLeader): Promise<CurrentLeader> {
    return this.until(() => (this.leader?.term === term ? undefined : this.leader));
  }

  /** Resolves with the first result of `find` that is defined. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (let found = find(); ; found = find()) {
      if (found !== undefined) return found;
      const exited = this.#all.find((process) => process.undisturbed && process.exited);
      if (exited) throw new Error("expected contenders to keep running, got an exit of one: see its output");
      await new Promise<void>((wake) => this.#waiting.add(wake));
    }
  }

  /** Resolves when this event of a term is reported. */
  async untilReported(event: ContenderReport["event"], term: string): Promise<void> {
    await this.until(() => this.reports.find((reports) => reports.event === event && reports.term === term));
  }

  /** Terminates all contenders and waits for their exit. */
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
    return this.reports.some(
      (reports) => reports.term === term && (reports.event === "lost" || reports.event === "done"),
    );
  }

  #changed(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** The current leader and its term. */
export interface CurrentLeader {
  readonly from: Contending;
  readonly term: string;
}

/** One contender process. */
export class Contending {
  readonly #child: ChildProcess;
  readonly cable: Cable;
  readonly ended: Promise<unknown>;
  /** False while the test disturbs the process. */
  undisturbed = true;

  constructor(child: ChildProcess, cable: Cable, onReport: (reports: ContenderReport) => void) {
    this.#child = child;
    this.cable = cable;
    this.ended = once(child, "close");
    if (!child.stdout) throw new Error("expected a standard output, got none");
    createInterface(child.stdout).on("line", (line) => onReport(JSON.parse(line) as ContenderReport)); // the contender prints this type
  }

  get exited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.exited) this.#child.kill(name);
  }

  /** Sends SIGTERM. */
  terminate(): void {
    this.undisturbed = false;
    this.signal("SIGTERM");
  }
}

/** A connection to a server that can be cut silently, as a network can: no data arrives and no error is reported. */
export class Cable implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param to URL of the server: "https://127.0.0.1:6443" */
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
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on a port, so this is an AddressInfo
  }

  cut(): void {
    this.#cut = true;
  }

  /** Restores the connection. Data sent while it was cut is lost. */
  restore(): void {
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
      from.on("error", () => {}); // "close" follows and ends the other side
      from.once("close", () => {
        this.#sockets.delete(from);
        if (!this.#cut) to.destroy();
      });
    }
  }
}

/** Returns the terms that wrote to the server, in order. Consecutive writes of one term count once. */
export async function termsWritten(client: Client): Promise<string[]> {
  const made = (await client.list(ConfigMap, { namespace: "default" })).filter(
    ({ data }) => data?.by !== undefined,
  );
  const order = (object: ConfigMap): bigint => BigInt(object.metadata.resourceVersion ?? 0);
  made.sort((one, other) => (order(one) < order(other) ? -1 : 1));
  const names = made.map(({ data }) => data?.by ?? "");
  return names.filter((name, index) => name !== names[index - 1]);
}
