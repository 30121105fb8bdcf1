import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { compile, type Errand, type Reading, runCommand, type World } from "../../harness/index.ts";

/** How one peer runs one case. */
export interface Sending {
  /** The operation of `load.ts`, or `undefined` to measure a start. */
  readonly operation?: string | undefined;
  /** Number of concurrent operations. @default 1 */
  readonly inFlight?: number | undefined;
}

export interface Server {
  /** "inside" is in the process of the load generator. */
  readonly engine: "embedded" | "binaries" | "inside";
}

export interface WorldOptions {
  readonly quick: boolean;
  /** By name of the peer. */
  readonly servers: ReadonlyMap<string, Server>;
  /** By name of the case. */
  readonly sendings: ReadonlyMap<string, Sending>;
}

interface Sizes {
  readonly seconds: number;
  readonly pods: number;
  /** Number of starts after the first. */
  readonly next: number;
  /** Number of concurrent clusters. */
  readonly many: number;
  /** Idle time before the memory of a cluster is measured. */
  readonly restMs: number;
}

const program = (name: string): Promise<string> => compile(new URL(`${name}.ts`, import.meta.url));

/** Servers that are started on first use, filled with pods, and kept to the end. */
export async function openWorld(options: WorldOptions): Promise<World> {
  return new Servers(options, { serve: await program("serve"), start: await program("start") });
}

const quickSizes: Sizes = { seconds: 0.3, pods: 1_000, next: 3, many: 20, restMs: 200 };
const fullSizes: Sizes = { seconds: 1.2, pods: 10_000, next: 9, many: 100, restMs: 1_000 };

class Servers implements World {
  readonly #options: WorldOptions;
  readonly #programs: { readonly serve: string; readonly start: string };
  readonly #sizes: Sizes;
  /** By engine. */
  readonly #running = new Map<string, Promise<Running>>();
  readonly #generator: Array<{ readonly run: string; readonly percent: number }> = [];
  #runs = 0;

  constructor(options: WorldOptions, programs: { readonly serve: string; readonly start: string }) {
    this.#options = options;
    this.#programs = programs;
    this.#sizes = options.quick ? quickSizes : fullSizes;
  }

  async run({ peer, command, case: { name } }: Errand): Promise<Reading> {
    const engine = this.#options.servers.get(peer)?.engine ?? "inside";
    const sending = this.#options.sendings.get(name) ?? {};
    if (sending.operation === undefined) {
      return runCommand(startCommand(this.#programs.start, engine, this.#sizes));
    }
    const where = engine === "inside" ? [] : whereFlags(await this.#server(engine, command));
    const reading = await runCommand([...command, ...this.#whatFlags(sending), ...where]);
    this.#generator.push({ run: `${name}, ${peer}`, percent: reading.generator ?? 0 });
    return reading;
  }

  #server(engine: string, load: readonly string[]): Promise<Running> {
    const command = [process.execPath, this.#programs.serve, `--engine=${engine}`];
    const server = this.#running.get(engine) ?? seededServer(command, load, this.#sizes);
    this.#running.set(engine, server);
    return server;
  }

  #whatFlags({ operation, inFlight = 1 }: Sending): string[] {
    const { seconds, pods } = this.#sizes;
    this.#runs += 1;
    const what = [`--operation=${operation}`, `--in-flight=${inFlight}`, `--run=${this.#runs}`];
    return [...what, `--seconds=${seconds}`, `--pods=${pods}`];
  }

  /** If the generator has no idle time, it is the bottleneck. */
  notes(): readonly string[] {
    const [busiest] = this.#generator.toSorted((one, other) => other.percent - one.percent);
    if (!busiest) return [];
    return [`the load generator took at most ${Math.round(busiest.percent)}% of one core (${busiest.run})`];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A failed start was reported as a failure of its case.
    const started = await Promise.allSettled(this.#running.values());
    for (const server of started) if (server.status === "fulfilled") await server.value.stop();
  }
}

function startCommand(start: string, engine: Server["engine"], { next, many, restMs }: Sizes): string[] {
  const kind = engine === "binaries" ? "binaries" : "embedded";
  const often = engine === "binaries" ? [] : [`--next=${next}`, `--many=${many}`];
  return [
    process.execPath,
    "--expose-gc",
    start,
    `--engine=${kind}`,
    `--listen=${engine === "embedded"}`,
    `--rest-ms=${restMs}`,
    ...often,
  ];
}

/** The output of `serve.ts`, and a way to stop it. */
interface Running {
  readonly kubeconfig: string;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

function whereFlags({ kubeconfig, pids }: Running): string[] {
  return [`--kubeconfig=${kubeconfig}`, `--pids=${pids.join(",")}`];
}

async function startServer([file = "", ...args]: readonly string[]): Promise<Running> {
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const first = await Promise.race([createInterface(child.stdout)[Symbol.asyncIterator]().next(), gone]);
  if (!first?.value) throw new Error(`expected a server to say where it is, got exit code ${child.exitCode}`);
  const said = JSON.parse(first.value) as Omit<Running, "stop">;
  return {
    ...said,
    async stop() {
      child.stdin.end();
      await gone;
    },
  };
}

async function seededServer(
  command: readonly string[],
  load: readonly string[],
  { pods }: Sizes,
): Promise<Running> {
  const running = await startServer(command);
  await runCommand([...load, "--operation=seed", "--in-flight=16", `--pods=${pods}`, ...whereFlags(running)]);
  return running;
}
