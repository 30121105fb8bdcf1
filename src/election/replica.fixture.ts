import {
  asError,
  below,
  between,
  type Clock,
  onAbort,
  type Rng,
  sleep,
  type Timer,
  type VirtualClock,
} from "../base/index.ts";
import { type Client, ConnectionError } from "../client/index.ts";
import type { ApiRequest, ApiResponse, Transport } from "../transport/index.ts";
import { Elector, fenced } from "./index.ts";

/** The state that all replicas share: true time, random numbers, the server, and all writes in the order of arrival. */
export interface World {
  readonly time: VirtualClock;
  readonly rng: Rng;
  readonly client: Client;
  /** One entry for each write, with the name of the writer's term. */
  readonly written: string[];
}

/**
 * A process that writes while it leads, on a machine and a network that can stop it, set its clock, cut it off and
 * delay its requests. A sent request arrives even if the sender has given up, as on a real network.
 */
export class Replica implements Clock {
  readonly elector: Elector;
  readonly #world: World;
  readonly #stop = new AbortController();
  /** Steps that were due while the process was stopped. */
  readonly #held: (() => void)[] = [];
  #phase: "running" | "stopped" | "killed" = "running";
  #setByMs = 0;
  /** How long the monotonic clock has stood still in total, and since when it does now, in true time. */
  #sleptMs = 0;
  #sleepsSinceMs: number | undefined;
  #terms = 0;
  cut = false;
  /** Resolves when the run has ended, also if it failed. */
  readonly ended: Promise<void>;

  constructor(identity: string, world: World) {
    this.#world = world;
    const client = world.client.through((server) => this.#over((request) => server.send(request)));
    this.elector = new Elector({ client, name: "crown", identity, clock: this, rng: world.rng });
    this.ended = this.elector
      .run((signal) => this.#work(signal), { signal: this.#stop.signal })
      .catch(() => {});
  }

  get running(): boolean {
    return this.#phase === "running";
  }

  now(): number {
    return this.#world.time.now() + this.#setByMs;
  }

  monotonic(): number {
    return (this.#sleepsSinceMs ?? this.#world.time.monotonic()) - this.#sleptMs;
  }

  timer(afterMs: number, run: () => void): Timer {
    let cancelled = false;
    const timer = this.#world.time.timer(afterMs, () =>
      this.#whenRunning(() => {
        if (!cancelled) run();
      }),
    );
    const cancel = (): void => {
      cancelled = true;
      timer.cancel();
    };
    return { cancel, [Symbol.dispose]: cancel };
  }

  setClock(byMs: number): void {
    this.#setByMs += byMs;
  }

  /** Stops the process, as SIGSTOP does. */
  stop(): void {
    if (this.running) this.#phase = "stopped";
  }

  /** Suspends the machine: the monotonic clock also stands still. */
  sleep(): void {
    if (!this.running) return;
    this.#phase = "stopped";
    this.#sleepsSinceMs = this.#world.time.monotonic();
  }

  /** Resumes the process, as SIGCONT does. Held steps run now, in random order. */
  async resume(): Promise<void> {
    if (this.#phase !== "stopped") return;
    this.#phase = "running";
    if (this.#sleepsSinceMs !== undefined)
      this.#sleptMs += this.#world.time.monotonic() - this.#sleepsSinceMs;
    this.#sleepsSinceMs = undefined;
    while (this.running && this.#held.length > 0) {
      const [step] = this.#held.splice(below(this.#world.rng, this.#held.length), 1);
      step?.();
      await Promise.resolve();
    }
  }

  /** Kills the process, as SIGKILL does. */
  kill(): void {
    this.#phase = "killed";
    this.#held.length = 0;
  }

  /** Terminates the process, as SIGTERM does. */
  terminate(): void {
    this.#stop.abort(new Error("terminated"));
  }

  /** Writes repeatedly while it leads, and takes a while to end. */
  async #work(signal: AbortSignal): Promise<void> {
    const name = `${this.elector.identity}#${++this.#terms}`;
    const ledger = fenced(
      this.#over(async () => this.#enter(name)),
      this.elector,
    );
    const pause = (ms: number): Promise<void> => sleep(ms, { clock: this });
    while (!signal.aborted) {
      await ledger.send({ method: "POST", path: "/ledger" }).catch(() => {}); // refused, or lost on the way
      await pause(between(this.#world.rng, 100, 1500));
    }
    await pause(between(this.#world.rng, 0, 3000));
    await ledger.send({ method: "POST", path: "/ledger" }).catch(() => {}); // one more write, which may be refused
  }

  #enter(name: string): ApiResponse {
    this.#world.written.push(name);
    return { status: 200, headers: {}, body: Buffer.from("{}") };
  }

  /**
   * Returns a transport to `serve`: a request waits for a connection, is sent, travels, is served, and its response
   * travels back.
   */
  #over(serve: (request: ApiRequest) => Promise<ApiResponse>): Transport {
    const { time } = this.#world;
    const send = (request: ApiRequest): Promise<ApiResponse> =>
      new Promise((resolve, reject) => {
        onAbort(request.signal, (reason) => reject(asError(reason)));
        const broken = (): void => reject(new ConnectionError("cut", { code: "ECONNRESET", request }));
        const responded = (response: ApiResponse): void => {
          time.timer(this.#travelMs(), () =>
            this.#whenRunning(() => (this.cut ? broken() : resolve(response))),
          );
        };
        const leave = (): void => {
          if (request.signal?.aborted) return;
          request.beforeSend?.();
          const { signal: _, ...sent } = request;
          if (this.cut) broken();
          else time.timer(this.#travelMs(), () => void serve(sent).then(responded, reject));
        };
        time.timer(between(this.#world.rng, 0, 300), () =>
          this.#whenRunning(() => {
            try {
              leave();
            } catch (error) {
              reject(asError(error));
            }
          }),
        );
      });
    return {
      server: "http://world",
      send,
      open: () => Promise.reject(new Error("no streams")),
      close: async () => {},
    };
  }

  /** Usually almost zero, sometimes seconds, always less than the rest of the lease after the renew deadline. */
  #travelMs(): number {
    const { rng } = this.#world;
    return rng.next() < 0.9 ? between(rng, 0, 20) : between(rng, 20, 4_500);
  }

  #whenRunning(step: () => void): void {
    if (this.#phase === "running") step();
    else if (this.#phase === "stopped") this.#held.push(step);
  }
}
