import { readFile } from "node:fs/promises";
import type { Clock, Logger } from "../../base/index.ts";
import { ConfigError, systemCode } from "./config-error.ts";
import type { Place } from "./config-field.ts";
import { bearer, type Credential } from "./credential.ts";
import type { Reloadable } from "./reloadable.ts";
import { ReloadingValue } from "./reloading-value.ts";

/** A token counts as valid for one minute and is reloaded 10 s earlier, as in client-go. */
const everyMs = 60_000 - 10_000;
const retryMs = 10_000;

export interface TokenFileOptions {
  readonly file: string;
  readonly place: Place;
  /** The token until the file has been read once. @default none: the file has to exist from the start */
  readonly token?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Returns the bearer token in a file that another process renews, as the kubelet does in a Pod.
 *
 * The token is reloaded on use after 50 s, and after the server has refused it. If the file is unreadable or empty, the
 * last token stays in use, and the next attempt is 10 s later.
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
