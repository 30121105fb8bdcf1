import type { KubeObject } from "../api/index.ts";
import { type LogEntry, loggerTo, seededRng, settled, VirtualClock } from "../base/index.ts";
import { type Client, clientOver } from "../client/index.ts";
import { type InformerFactory, type InformersOptions, informers, type ObjectEvent } from "./index.ts";
import { type Scripted, ScriptedTransport } from "./reflector/scripted-transport.fixture.ts";

/** An informer factory on a scripted transport and a virtual clock, until it is disposed. */
export class TestInformers implements AsyncDisposable {
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

  /** Starts the informers that are not started, and runs everything that is due now. */
  async start(): Promise<void> {
    this.factory.start({ signal: this.ended.signal });
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.clock.advance(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.factory.close();
    if (this.clock.timers > 0) throw new Error(`expected no timers, got ${this.clock.timers}`);
  }
}

/** A handler that records its events: `added home/a@1 initial`, `updated home/a@1>2`. */
export class Recorder {
  #events: string[] = [];

  readonly handler = (event: ObjectEvent<KubeObject>): void => {
    this.#events.push(eventText(event));
  };

  /** Returns the events since the last call. */
  received(): string[] {
    return this.#events.splice(0);
  }
}

export function eventText(event: ObjectEvent<KubeObject>): string {
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

/**
 * Returns the state of a promise after all pending microtasks: `pending`, `resolved`, or the reason of its rejection.
 */
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
