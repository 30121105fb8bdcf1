import type { buildConnector, Dispatcher, Client as UndiciClient } from "undici";
import { Line } from "./line.ts";
import { Client } from "./undici.ts";

/** A request to a `LineClient`. */
export interface LineDispatchOptions extends Dispatcher.DispatchOptions {
  /** Told the line through which the answer will come, before anything is sent. */
  readonly onLine: (line: Line) => void;
}

export interface LineClientOptions extends Omit<UndiciClient.Options, "connect"> {
  readonly connect: buildConnector.connector;
}

/** undici's client for one connection at a time, which hands out that connection as a `Line`. */
export class LineClient extends Client {
  readonly #line: Line;

  constructor(origin: URL, options: LineClientOptions) {
    const line = new Line();
    const { connect } = options;
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...outcome) => {
          if (outcome[1]) line.fit(outcome[1]);
          callback(...outcome);
        }),
    });
    this.#line = line;
  }

  override dispatch(options: LineDispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    options.onLine(this.#line);
    return super.dispatch(options, handler);
  }
}
