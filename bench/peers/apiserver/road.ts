/** A way to an API server: bytes out, bytes back, nothing looked at but what is counted. */
export interface Road {
  /** Rejects where the server refuses. */
  send(request: RoadRequest): Promise<Buffer>;
  /** The same, without keeping the answer: how many bytes it has. */
  sink(request: RoadRequest): Promise<number>;
  /** Opens a watch; `seen` is told how many events came, each time some do. Resolves when it is open. */
  watch(path: string, seen: (events: number) => void): Promise<void>;
  close(): Promise<void>;
}

export interface RoadRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body?: string | undefined;
  /** @default JSON */
  readonly type?: string | undefined;
}

/** Every event ends in a brace and a line feed, and has neither of them together inside. */
export class EventCounter {
  #last = 0;

  /** How many events end in these bytes, which follow those of the call before. */
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
