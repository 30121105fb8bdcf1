import { hostname } from "node:os";
import type { KubeObject } from "../api/index.ts";
import {
  asError,
  type Clock,
  guardedLogger,
  type Logger,
  type Rng,
  realClock,
  silentLogger,
} from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { apiSink, type EventsApi, isApiSink } from "./api-sink.ts";
import type { EventSink } from "./event-sink.ts";
import { logSink } from "./log-sink.ts";
import { type EventType, type RecordedEvent, referenceTo } from "./recorded-event.ts";

/** Tells what happened to an object. It returns at once and never throws. */
export interface EventRecorder {
  normal(about: KubeObject, reason: string, note: string | EventNote): void;
  warning(about: KubeObject, reason: string, note: string | EventNote): void;
}

/** What happened, with more about it than words. */
export interface EventNote {
  /** For people. */
  readonly note: string;
  /** What was being done, in one word. @default "Reconcile" */
  readonly action?: string | undefined;
  /** The part it is about: `spec.containers{web}`. @default the whole object */
  readonly fieldPath?: string | undefined;
  /** Another object that has to do with it. */
  readonly related?: KubeObject | undefined;
  /** Of the Event. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** An `EventRecorder` that is somebody's own: closing it writes what is left. */
export interface Recorder extends EventRecorder, AsyncDisposable {
  /** Returns a recorder of another component, which has the same sinks and is closed with this one. */
  withComponent(component: string): EventRecorder;
  /** Resolves within seconds, whatever the server does. Nothing is recorded any more. May be called again. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Where the Events are written. */
  readonly client: Client;
  /** Reports the events: the controller's name. */
  readonly component: string;
  /** Which of those who are called so. @default the machine's name */
  readonly instance?: string | undefined;
  /** @default "events.k8s.io/v1" */
  readonly api?: EventsApi | undefined;
  /** Has a line for each event, and for what could not be written. @default none */
  readonly log?: Logger | undefined;
  /** More sinks. An `apiSink` among them replaces the recorder's own, so that each event is written once. @default none */
  readonly sinks?: readonly EventSink[] | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Records what happens to objects, in the cluster and in the log. */
export function recorder(options: RecorderOptions): Recorder {
  const { log, sinks = [] } = options;
  const own = sinks.some(isApiSink) ? [] : [apiSink(options)];
  return new SinkRecorder(options, [...own, ...(log ? [logSink(log)] : []), ...sinks]);
}

class SinkRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #sinks: readonly EventSink[];
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #instance: string;
  #closed: Promise<void> | undefined;

  constructor(options: RecorderOptions, sinks: readonly EventSink[]) {
    this.#options = options;
    this.#sinks = sinks;
    this.#log = guardedLogger(options.log ?? silentLogger);
    this.#clock = options.clock ?? realClock;
    this.#instance = options.instance ?? hostname();
  }

  normal(about: KubeObject, reason: string, note: string | EventNote): void {
    this.#record({ type: "Normal", reason, component: this.#options.component }, about, note);
  }

  warning(about: KubeObject, reason: string, note: string | EventNote): void {
    this.#record({ type: "Warning", reason, component: this.#options.component }, about, note);
  }

  withComponent(component: string): EventRecorder {
    return {
      normal: (about, reason, note) => this.#record({ type: "Normal", reason, component }, about, note),
      warning: (about, reason, note) => this.#record({ type: "Warning", reason, component }, about, note),
    };
  }

  close(): Promise<void> {
    this.#closed ??= Promise.all(this.#sinks.map((sink) => this.#closeSink(sink))).then(() => {});
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #closeSink(sink: EventSink): Promise<void> {
    try {
      await sink.close();
    } catch (error) {
      this.#log.warn("event sink not closed", { error: asError(error) });
    }
  }

  #record(words: Words, about: KubeObject, note: string | EventNote): void {
    if (this.#closed) return;
    const told = typeof note === "string" ? { note } : note;
    try {
      const event = this.#eventOf(words, about, told);
      for (const sink of this.#sinks) this.#tell(sink, event);
    } catch (error) {
      this.#log.warn("event not recorded", { reason: words.reason, note: told.note, error });
    }
  }

  #eventOf(words: Words, about: KubeObject, told: EventNote): RecordedEvent {
    const { note, action = "Reconcile", fieldPath, related, annotations } = told;
    return {
      ...words,
      note,
      action,
      regarding: referenceTo(about, fieldPath),
      related: related && referenceTo(related),
      annotations,
      instance: this.#instance,
      atMs: this.#clock.now(),
    };
  }

  /** One that throws does not keep the event from the others. */
  #tell(sink: EventSink, event: RecordedEvent): void {
    const onError = (error: unknown): void =>
      this.#log.warn("event not recorded", { reason: event.reason, note: event.note, error: asError(error) });
    try {
      const recording: unknown = sink.record(event); // an async function is accepted, too
      if (recording instanceof Promise) recording.catch(onError);
    } catch (error) {
      onError(error);
    }
  }
}

interface Words {
  readonly type: EventType;
  readonly reason: string;
  readonly component: string;
}
