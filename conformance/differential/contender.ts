import type { Transport } from "../../src/transport/index.ts";
import { EventStream } from "./event-stream.ts";
import { eventWithoutExceptions } from "./exceptions.ts";
import { managersInOneOrder } from "./managers-in-one-order.ts";
import { Memory } from "./memory.ts";
import type { Json, JsonObject, Script, Step } from "./script.ts";
import { type Answer, send } from "./side.ts";
import type { Subject } from "./subject.ts";

/** The part of one server in one script. */
export interface Side {
  send(step: Step): Promise<Answer>;
  /** Returns the events of the script from every watch, once all have arrived. */
  finish(subject: Subject): Promise<JsonObject>;
}

/** All responses and events of a server for one script. */
export interface Performance {
  readonly answers: readonly Answer[];
  /** Keyed by the selector of the watch. */
  readonly events: JsonObject;
}

/** Watches of one kind, by their selector. */
type Streams = Readonly<Record<string, EventStream>>;

/** One server and its watches. */
export class Contender implements Disposable {
  readonly #transport: Transport;
  readonly #streams: ReadonlyMap<string, Streams>;

  static async enter(transport: Transport, subjects: readonly Subject[]): Promise<Contender> {
    const opened = subjects.map(async ({ root, plural }) => {
      const path = `${root}/${plural}?watch=true&resourceVersion=0&timeoutSeconds=86400`;
      const all = await EventStream.open(transport, path);
      const selected = await EventStream.open(transport, `${path}&labelSelector=tier%3Da`);
      return [plural, { all, selected }] as const;
    });
    return new Contender(transport, new Map(await Promise.all(opened)));
  }

  private constructor(transport: Transport, streams: ReadonlyMap<string, Streams>) {
    this.#transport = transport;
    this.#streams = streams;
  }

  [Symbol.dispose](): void {
    for (const streams of this.#streams.values()) {
      for (const stream of Object.values(streams)) stream[Symbol.dispose]();
    }
  }

  async side(namespace: string): Promise<Side> {
    const memory = new Memory(namespace);
    const metadata = { name: namespace };
    const made = await this.#made("/api/v1/namespaces", { metadata });
    memory.begin(made);
    return {
      send: (step) => send(this.#transport, memory, step),
      finish: (subject) => this.#finish(subject, memory),
    };
  }

  /** Plays a script to its end. Managers are sorted. */
  async perform({ steps }: Pick<Script, "steps">, subject: Subject, namespace: string): Promise<Performance> {
    const side = await this.side(namespace);
    const answers: Answer[] = [];
    for (const step of steps) {
      const answer = await side.send(step);
      answers.push({ ...answer, body: managersInOneOrder(answer.body) });
    }
    return { answers, events: managersInOneOrder(await side.finish(subject)) as JsonObject };
  }

  async #finish(subject: Subject, memory: Memory): Promise<JsonObject> {
    const collection = `${subject.root}/namespaces/{ns}/${subject.plural}`;
    await this.#made(memory.fill(collection), lastOf(subject));
    const streams = Object.entries(this.#streams.get(subject.plural) ?? {});
    const told = await Promise.all(streams.map(([, stream]) => stream.until(memory.namespace, last)));
    // In the order of the streams, not of their ends: versions are numbered by when they were first seen.
    const events = streams.map(([name], at): [string, Json] => [
      name,
      (told[at] ?? []).map((event) => eventWithoutExceptions(memory.masked(subject.plural, event))),
    ]);
    await this.#clear(subject, memory);
    return Object.fromEntries(events);
  }

  /** Removes everything that a script created, with its finalizers, because addresses and ports are scarce. */
  async #clear({ root, plural }: Subject, { namespace }: Memory): Promise<void> {
    const path = `${root}/namespaces/${namespace}/${plural}`;
    await this.#transport.send({ method: "DELETE", path: `${path}?gracePeriodSeconds=0` });
    const { body } = await this.#transport.send({ method: "GET", path });
    for (const { metadata } of JSON.parse(body.toString()).items ?? []) {
      await this.#transport.send({
        method: "PATCH",
        path: `${path}/${metadata.name}`,
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify({ metadata: { finalizers: null } }),
      });
    }
  }

  /** Creates an object and returns its resource version. */
  async #made(path: string, object: JsonObject): Promise<string> {
    const answer = await this.#transport.send({
      method: "POST",
      path,
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(object),
    });
    if (answer.status === 201) return JSON.parse(answer.body.toString()).metadata.resourceVersion;
    throw new Error(
      `expected 201 from POST ${path} of ${this.#transport.server}, got ${answer.status} ${answer.body}`,
    );
  }
}

/** The object that marks the end of a script's events in every watch. */
const last = "the-end";

function lastOf({ apiVersion, kind, least }: Subject): JsonObject {
  return { apiVersion, kind, metadata: { name: last, labels: { tier: "a" } }, ...least };
}
