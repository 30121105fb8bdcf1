import { Frames, type OpenResponse, type Transport } from "../../src/transport/index.ts";
import { isObject } from "./memory.ts";
import type { Json, JsonObject } from "./script.ts";

/** A watch of one kind in all namespaces. It sorts events by namespace as they arrive. */
export class EventStream implements Disposable {
  readonly #response: OpenResponse;
  readonly #events = new Map<string, Json[]>();
  #wake: () => void = () => {};
  #failure: Error | undefined;

  /** Resolves when the server has started to respond. */
  static async open(transport: Transport, path: string): Promise<EventStream> {
    const response = await transport.open({
      method: "GET",
      path,
      headers: { accept: "application/json", "user-agent": "differential/1" },
    });
    if (response.status === 200) return new EventStream(response);
    response.close();
    throw new Error(`expected 200 from GET ${path} of ${transport.server}, got ${response.status}`);
  }

  private constructor(response: OpenResponse) {
    this.#response = response;
    const frames = new Frames((bytes, start, end) => this.#take(bytes.toString("utf8", start, end)));
    response.receive({
      onChunk: (chunk) => frames.push(chunk),
      onEnd: () => this.#fail(new Error("expected a watch that goes on, got its end")),
      onError: (error) => this.#fail(error),
    });
  }

  [Symbol.dispose](): void {
    this.#response.close();
  }

  /** Returns the events of a namespace once the one about the object `last` has arrived, and forgets them. */
  async until(namespace: string, last: string): Promise<Json[]> {
    for (;;) {
      const events = this.#events.get(namespace) ?? [];
      const end = events.findIndex((event) => nameIn(event) === last);
      if (end !== -1) {
        this.#events.delete(namespace);
        return events.slice(0, end);
      }
      if (this.#failure) throw this.#failure;
      await this.#more();
    }
  }

  /** Waits for the next event. Throws after ten seconds without one. */
  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("expected a watch event, got none in 10 s")), 10_000);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(line: string): void {
    const event = JSON.parse(line) as JsonObject;
    const namespace = metadataIn(event).namespace;
    if (typeof namespace === "string") {
      const events = this.#events.get(namespace) ?? [];
      events.push(event);
      this.#events.set(namespace, events);
    }
    this.#wake();
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#wake();
  }
}

function nameIn(event: Json): Json | undefined {
  return metadataIn(event).name;
}

function metadataIn(event: Json): JsonObject {
  const object = isObject(event) ? event.object : undefined;
  const metadata = isObject(object) ? object.metadata : undefined;
  return isObject(metadata) ? metadata : {};
}
