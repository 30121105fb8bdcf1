import type { buildConnector, Dispatcher, Client as UndiciClient } from "undici";
import { ConnectionTap } from "./connection-tap.ts";
import { Client } from "./undici.ts";

/** The options of a request to a `TappedClient`. */
export interface TappedDispatchOptions extends Dispatcher.DispatchOptions {
  /** Called with the tap of the connection that will carry the response, before anything is sent. */
  readonly onTap: (tap: ConnectionTap) => void;
}

export interface TappedClientOptions extends Omit<UndiciClient.Options, "connect"> {
  readonly connect: buildConnector.connector;
}

/** An undici client, which has one connection at a time, with a `ConnectionTap` on that connection. */
export class TappedClient extends Client {
  readonly #tap: ConnectionTap;

  constructor(origin: URL, options: TappedClientOptions) {
    const tap = new ConnectionTap();
    const { connect } = options;
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...outcome) => {
          if (outcome[1]) tap.attach(outcome[1]);
          callback(...outcome);
        }),
    });
    this.#tap = tap;
  }

  override dispatch(options: TappedDispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    options.onTap(this.#tap);
    return super.dispatch(options, handler);
  }
}
