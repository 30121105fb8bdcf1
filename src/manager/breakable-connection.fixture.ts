import { ConnectionError } from "../client/index.ts";
import type { Transport } from "../transport/index.ts";

/** A connection that can be cut: open requests fail, and new ones too, until it is restored. */
export class BreakableConnection {
  #cut = new AbortController();

  over(transport: Transport): Transport {
    const pass = async <T>(path: string, go: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      if (this.#cut.signal.aborted) throw broken(path);
      return go(this.#cut.signal);
    };
    const both = (a: AbortSignal | undefined, b: AbortSignal): AbortSignal =>
      a ? AbortSignal.any([a, b]) : b;
    return {
      server: transport.server,
      send: (request) =>
        pass(request.path, (cut) => transport.send({ ...request, signal: both(request.signal, cut) })),
      open: (request) =>
        pass(request.path, (cut) => transport.open({ ...request, signal: both(request.signal, cut) })),
      close: () => transport.close(),
    };
  }

  cut(): void {
    this.#cut.abort(broken("/"));
  }

  restore(): void {
    this.#cut = new AbortController();
  }
}

function broken(path: string): ConnectionError {
  return new ConnectionError("the connection is cut", {
    code: "ECONNRESET",
    request: { method: "GET", path },
  });
}
