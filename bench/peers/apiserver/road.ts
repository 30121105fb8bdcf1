/** A connection to an API server that transfers bytes and only counts them. */
export interface Road {
  /** Sends a request. Rejects if the server refuses it. */
  send(request: RoadRequest): Promise<Buffer>;
  /** Sends a request and returns only the size of the response. */
  sink(request: RoadRequest): Promise<number>;
  /** Opens a watch. Calls `seen` with the number of new events. Resolves when it is open. */
  watch(path: string, seen: (events: number) => void): Promise<void>;
  close(): Promise<void>;
}

export interface RoadRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body?: string | undefined;
  /** Content type of the body. @default JSON */
  readonly type?: string | undefined;
}

/** Counts events: every event ends in a brace and a line feed, which never occur together inside. */
export class EventCounter {
  #last = 0;

  /** Returns the number of events that end in these bytes, which follow those of the previous call. */
  count(bytes: Uint8Array): number {
    let events = 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
      if ((at === 0 ? this.#last : bytes[at - 1]) === brace) events += 1;
    }
    this.#last = bytes.at(-1) ?? this.#last;
    return events;
  }
}

const lineFeed = 0x0a;
const brace = 0x7d;

export function refused({ method, path }: RoadRequest, status: number, body: string): Error {
  return new Error(`expected ${method} ${path} to be done, got ${status}: ${body.slice(0, 300)}`);
}
