import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Errand, goPeer, type Peer, type Reading, runCommand, type World } from "../../harness/index.ts";
import { testCertificate } from "../../stub/index.ts";
import { type Cores, findCores } from "./cores.ts";
import { podReview } from "./reviews.ts";

/** The program that sends reviews. It is written in Go, because its HTTP client is the one of kube-apiserver. */
export const loadGenerator: Peer = goPeer({ name: "reviews", package: "reviews" });

/** How a case loads a server: with a number of concurrent requests, or with a number of requests in each second. */
export interface Load {
  readonly path: string;
  /** A text that every response must contain. */
  readonly wants: string;
  readonly inFlight?: number | undefined;
  readonly perSecond?: number | undefined;
}

export interface WorldOptions {
  readonly quick: boolean;
  /** By name of the case. */
  readonly loads: ReadonlyMap<string, Load>;
}

/** Writes the certificate and the reviews to files. Each run starts its own server, so that its memory is its own. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const prepared = await loadGenerator.prepare();
  const folder = await mkdtemp(join(tmpdir(), "trimtab-bench-"));
  const { ca, cert, key } = testCertificate;
  const reviews = Array.from({ length: distinct }, (_, index) => `${podReview(index)}\n`).join("");
  const files = { "ca.crt": ca, "tls.crt": cert, "tls.key": key, reviews };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return new Runs(options, folder, "command" in prepared ? prepared.command : []);
}

/** Number of different pods. */
const distinct = 200;

interface Times {
  readonly warmupMs: number;
  readonly ms: number;
}

const quickTimes: Times = { warmupMs: 500, ms: 1000 };
const fullTimes: Times = { warmupMs: 3000, ms: 6000 };

class Runs implements World {
  readonly #options: WorldOptions;
  readonly #folder: string;
  readonly #load: readonly string[];
  readonly #cores = findCores();
  readonly #generator: Array<{ readonly run: string; readonly percent: number }> = [];

  constructor(options: WorldOptions, folder: string, load: readonly string[]) {
    this.#options = options;
    this.#folder = folder;
    this.#load = load;
  }

  async run({ peer, command, case: { name } }: Errand): Promise<Reading> {
    const load = this.#options.loads.get(name);
    if (!load) throw new RangeError(`expected a case of this bench, got ${name}`);
    const port = await freePort();
    const args = [`--port=${port}`, `--certificates=${this.#folder}`];
    await using server = await startServer(pinned([...command, ...args], this.#cores, "server"));
    const reading = await runCommand(pinned(this.#loadCommand(load, server.pid, port), this.#cores, "load"));
    this.#generator.push({ run: `${name}, ${peer}`, percent: reading.generator ?? 0 });
    return { ...reading, "peak RSS": await peakRssMb(server.pid) };
  }

  #loadCommand({ path, wants, inFlight = 1, perSecond = 0 }: Load, pid: number, port: number): string[] {
    const { warmupMs, ms } = this.#options.quick ? quickTimes : fullTimes;
    const flags = {
      url: `https://127.0.0.1:${port}${path}?timeout=10s`,
      ca: join(this.#folder, "ca.crt"),
      reviews: join(this.#folder, "reviews"),
      "in-flight": inFlight,
      "per-second": perSecond,
      "warmup-ms": warmupMs,
      ms,
      pid,
      wants,
    };
    return [...this.#load, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
  }

  /** If the generator has no idle time, it is the bottleneck. */
  notes(): readonly string[] {
    const cores = this.#cores;
    const where =
      "unpinned" in cores
        ? `servers and load generator share the cores: ${cores.unpinned}`
        : `each server ran on core ${cores.server} alone, the load generator on core ${cores.load}`;
    const [busiest] = this.#generator.toSorted((one, other) => other.percent - one.percent);
    if (!busiest) return [where];
    const busy = `the load generator took at most ${Math.round(busiest.percent)}% of its cores (${busiest.run})`;
    return [where, busy];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

function pinned(command: readonly string[], cores: ReturnType<typeof findCores>, as: keyof Cores): string[] {
  return "unpinned" in cores ? [...command] : ["taskset", "--cpu-list", cores[as], ...command];
}

interface RunningServer extends AsyncDisposable {
  readonly pid: number;
}

/** Starts a server and waits until it listens. `taskset` becomes the server, so that its process id is the server's. */
async function startServer([file = "", ...args]: readonly string[]): Promise<RunningServer> {
  const env = { ...process.env, GOMAXPROCS: "1" };
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"], env });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const errors = tailOf(child);
  const first = await Promise.race([createInterface(child.stdout)[Symbol.asyncIterator]().next(), gone]);
  const { pid } = child;
  if (!first?.value || pid === undefined) {
    await gone;
    throw new Error(`expected a webhook server that listens, got exit code ${child.exitCode}: ${errors()}`);
  }
  return {
    pid,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await gone;
      process.off("exit", kill);
    },
  };
}

/** Returns a function that returns the line of a program's error output that names the error. */
function tailOf({ stderr }: ChildProcess): () => string {
  let text = "";
  stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-4096);
  });
  return () => /^\W?\w*Error\b.*/m.exec(text)?.[0] ?? text;
}

/** Returns the largest memory that the process ever had. */
async function peakRssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Returns a port that is free now: controller-runtime cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has an AddressInfo
  await new Promise((resolve) => server.close(resolve));
  return port;
}
