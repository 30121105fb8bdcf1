import { readFile } from "node:fs/promises";
import type { Clock, Logger } from "../base/index.ts";
import { ConfigError, systemCode } from "./config-error.ts";
import type { Place } from "./config-field.ts";
import { bearer, type Credential } from "./credential.ts";
import type { Reloadable } from "./reloadable.ts";
import { ReloadingValue } from "./reloading-value.ts";

/** Tokens are taken to be good for a minute, and read again 10 s before that is over, as client-go does. */
const everyMs = 60_000 - 10_000;
const retryMs = 10_000;

export interface TokenFileOptions {
  readonly file: string;
  readonly place: Place;
  /** RequestAuth until the file has been read once. @default none: the file has to be there from the start */
  readonly token?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * A bearer token in a file that somebody else keeps fresh, as the kubelet does in a Pod.
 *
 * It is read again on use when 50 s old, and after the server refused it. A file that cannot be
 * read, or is empty, leaves the last token in use; the next try comes 10 s later.
 */
export function tokenFile(options: TokenFileOptions): Reloadable<Credential> {
  return new ReloadingValue<Credential>({
    what: `token file ${options.file}`,
    read: () => readToken(options),
    everyMs,
    retryMs,
    initial: options.token === undefined ? undefined : bearer(options.token),
    clock: options.clock,
    log: options.log,
  });
}

async function readToken({ file, place }: TokenFileOptions): Promise<Credential> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    const got = `${systemCode(cause)} for ${file}`;
    throw new ConfigError(place.problem("tokenFile", "to name a readable file", got), { cause });
  });
  const token = text.trim();
  if (token !== "") return bearer(token);
  throw new ConfigError(place.problem("tokenFile", "to name a file with a token", `an empty one, ${file}`));
}
