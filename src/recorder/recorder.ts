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
import { type EventSink, logSink } from "./event-sink.ts";
import { type EventType, type RecordedEvent, referenceTo } from "./recorded-event.ts";

/** Records events about an object. It returns at once and never throws. */
export interface EventRecorder {
  normal(about: KubeObject, reason: string, note: string | EventNote): void;
  warning(about: KubeObject, reason: string, note: string | EventNote): void;
}

/** The note of an event, with optional details. */
export interface EventNote {
  /** Human-readable description. */
  readonly note: string;
  /** Action that was taken, in one word. @default "Reconcile" */
  readonly action?: string | undefined;
  /** The field that the event is about: `spec.containers{web}`. @default the whole object */
  readonly fieldPath?: string | undefined;
  /** A related object. */
  readonly related?: KubeObject | undefined;
  /** Annotations of the Event. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** An `EventRecorder` with its own sinks: closing it writes the remaining events. */
export interface Recorder extends EventRecorder, AsyncDisposable {
  /** Returns a recorder for another component. It has the same sinks and is closed with this one. */
  withComponent(component: string): EventRecorder;
  /** Stops recording. Resolves within seconds, even if the server does not respond. Calling it again has no effect. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Client that writes the Events. */
  readonly client: Client;
  /** The reporting component: the controller's name. */
  readonly component: string;
  /** The reporting instance of the component. @default the host name */
  readonly instance?: string | undefined;
  /** @default "events.k8s.io/v1" */
  readonly api?: EventsApi | undefined;
  /** Logs each event, and each event that could not be written. @default none */
  readonly log?: Logger | undefined;
  /**
   * Additional sinks. An `apiSink` among them replaces the recorder's own, so that each event is written once. @default
   * none
   */
  readonly sinks?: readonly EventSink[] | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Creates a recorder that writes events to the cluster and to the log. */
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

  #record(source: EventSource, about: KubeObject, note: string | EventNote): void {
    if (this.#closed) return;
    const details = typeof note === "string" ? { note } : note;
    try {
      const event = this.#eventOf(source, about, details);
      for (const sink of this.#sinks) this.#notify(sink, event);
    } catch (error) {
      this.#log.warn("event not recorded", { reason: source.reason, note: details.note, error });
    }
  }

  #eventOf(source: EventSource, about: KubeObject, details: EventNote): RecordedEvent {
    const { note, action = "Reconcile", fieldPath, related, annotations } = details;
    return {
      ...source,
      note,
      action,
      regarding: referenceTo(about, fieldPath),
      related: related && referenceTo(related),
      annotations,
      instance: this.#instance,
      atMs: this.#clock.now(),
    };
  }

  /** Passes the event to a sink. A sink that throws does not keep the event from the others. */
  #notify(sink: EventSink, event: RecordedEvent): void {
    const onError = (error: unknown): void =>
      this.#log.warn("event not recorded", { reason: event.reason, note: event.note, error: asError(error) });
    try {
      const recording: unknown = sink.record(event); // a sink may be an async function
      if (recording instanceof Promise) recording.catch(onError);
    } catch (error) {
      onError(error);
    }
  }
}

interface EventSource {
  readonly type: EventType;
  readonly reason: string;
  readonly component: string;
}
