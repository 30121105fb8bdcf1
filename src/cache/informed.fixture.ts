import type { KubeObject } from "../api/index.ts";
import { type LogEntry, loggerTo, seededRng, settled, VirtualClock } from "../base/index.ts";
import { type Client, clientOver } from "../client/index.ts";
import { type InformerFactory, type InformersOptions, informers, type ObjectEvent } from "./index.ts";
import { type Scripted, ScriptedTransport } from "./scripted-transport.fixture.ts";

/** Informers on a script and on virtual time, until they are disposed. */
export class Informed implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly transport: ScriptedTransport;
  readonly client: Client;
  readonly factory: InformerFactory;
  readonly logged: LogEntry[] = [];
  readonly ended: AbortController = new AbortController();

  constructor(replies: readonly Scripted[] = [], options: Partial<InformersOptions> = {}) {
    const { clock } = this;
    const rng = seededRng(1);
    this.transport = new ScriptedTransport(...replies);
    this.client = clientOver(this.transport, { namespace: "home", clock, rng });
    const log = loggerTo((entry) => this.logged.push(entry));
    this.factory = informers({ client: this.client, clock, rng, log, ...options });
  }

  /** Starts what is not started, and lets everything happen that needs no time. */
  async start(): Promise<void> {
    this.factory.start({ signal: this.ended.signal });
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.clock.advance(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.factory.close();
    if (this.clock.timers > 0) throw new Error(`expected no timer to be left, got ${this.clock.timers}`);
  }
}

/** A handler that keeps what it is told: `added home/a@1 initial`, `updated home/a@1>2`. */
export class Recorder {
  #lines: string[] = [];

  readonly handler = (event: ObjectEvent<KubeObject>): void => {
    this.#lines.push(lineOf(event));
  };

  /** Since the last time it was asked. */
  told(): string[] {
    return this.#lines.splice(0);
  }
}

export function lineOf(event: ObjectEvent<KubeObject>): string {
  const { type, key, object } = event;
  const version = object.metadata.resourceVersion;
  switch (type) {
    case "added":
      return `added ${key}@${version}${event.initial ? " initial" : ""}`;
    case "updated":
      return `updated ${key}@${event.previous.metadata.resourceVersion}>${version}${event.resync ? " resync" : ""}`;
    default:
      return `deleted ${key}@${version}${event.missed ? " missed" : ""}`;
  }
}

/** How a promise is, when all has happened that needs no time: `pending`, `resolved`, or why it was rejected. */
export async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = "pending";
  promise.then(
    () => {
      state = "resolved";
    },
    (error: unknown) => {
      state = error;
    },
  );
  await settled();
  return state;
}
