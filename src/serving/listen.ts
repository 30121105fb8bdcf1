import type { AddressInfo, Server } from "node:net";
import type { Logger } from "../base/index.ts";
import { ConfigError } from "../client/index.ts";

export interface ListenOptions {
  /** Names the server in messages: "metrics". */
  readonly name: string;
  /** 0 for any free port. */
  readonly port: number;
  /** @default all addresses */
  readonly host?: string | undefined;
  /** Ends the error message: an option that selects another port. */
  readonly advice: string;
  readonly log: Logger;
}

/** Resolves with the port when the server listens. Rejects with a `ConfigError` if it cannot. */
export function listen(server: Server, options: ListenOptions): Promise<number> {
  const { port, host, log } = options;
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, options));
    server.once("error", onError);
    server.listen({ port, host }, () => {
      server.off("error", onError);
      server.on("error", (error) => log.warn("accepting a connection failed", { error }));
      resolve((server.address() as AddressInfo).port); // a TCP server has an AddressInfo
    });
  });
}

function cannotListen(
  error: NodeJS.ErrnoException,
  { name, port, host, advice }: ListenOptions,
): ConfigError {
  const where = host === undefined ? `port ${port}` : `port ${port} of ${host}`;
  const why = reasons[error.code ?? ""] ?? error.message;
  const message = `expected to listen on ${where} for ${name}, got ${error.code}: ${why}; ${advice}`;
  return new ConfigError(message, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there",
  EACCES: "this user may not listen there",
  EADDRNOTAVAIL: "this host has no such address",
};
