import { asError, onAbort } from "../src/base/index.ts";
import {
  ConnectionError,
  type OpenResponse,
  type Receiver,
  type ResponseHeaders,
} from "../src/transport/index.ts";

/** A streaming response. The test writes its body piece by piece. */
export class Stream implements OpenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly #pieces: ((receiver: Receiver) => void)[] = [];
  #receiver: Receiver | undefined;
  #signal: Disposable | undefined;
  paused = false;
  closed = false;

  constructor(status = 200, headers: ResponseHeaders = {}) {
    this.status = status;
    this.headers = headers;
  }

  /** Opens the response for a request with this signal. */
  begin(signal: AbortSignal | undefined): void {
    this.#signal = onAbort(signal, (reason) => this.#finish((receiver) => receiver.onError(asError(reason))));
  }

  /** Sends one line of JSON for each value. */
  lines(...values: readonly unknown[]): this {
    return this.text(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  }

  text(text: string): this {
    return this.bytes(Buffer.from(text));
  }

  /** Sends one chunk. The receiver gets a copy that is overwritten after it returns, like the buffer of a socket. */
  bytes(chunk: Buffer): this {
    const reused = Buffer.from(chunk);
    return this.#deliver((receiver) => {
      receiver.onChunk(reused);
      reused.fill("?");
    });
  }

  end(): this {
    return this.#deliver((receiver) => this.#finish(() => receiver.onEnd()));
  }

  /** Breaks the connection. */
  cut(): this {
    return this.#deliver((receiver) => this.#finish(() => receiver.onError(lost("ECONNRESET"))));
  }

  receive(receiver: Receiver): void {
    queueMicrotask(() => {
      this.#receiver = receiver;
      this.#flush();
    });
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    queueMicrotask(() => this.#flush());
  }

  close(): void {
    this.closed = true;
    this.#signal?.[Symbol.dispose]();
  }

  #deliver(piece: (receiver: Receiver) => void): this {
    this.#pieces.push(piece);
    this.#flush();
    return this;
  }

  #flush(): void {
    while (this.#receiver && !this.paused && !this.closed) {
      const piece = this.#pieces.shift();
      if (!piece) return;
      this.#pass(piece, this.#receiver);
    }
  }

  #pass(piece: (receiver: Receiver) => void, receiver: Receiver): void {
    try {
      piece(receiver);
    } catch (error) {
      this.#finish(() => receiver.onError(asError(error)));
    }
  }

  #finish(notify: (receiver: Receiver) => void): void {
    if (this.closed) return;
    this.close();
    if (this.#receiver) notify(this.#receiver);
  }
}

/** Returns the error of a connection that was lost or could not be established. */
export function lost(code: string): ConnectionError {
  return new ConnectionError(`expected a response, got ${code}`, {
    code,
    request: { method: "GET", path: "/" },
  });
}
