import type { ServerRequest } from "./exchange.ts";
import { tooLarge } from "./status-error.ts";

/** Bodies may not be longer: what the real server takes. */
export const maxBodyBytes: number = 3 * 1024 * 1024;

/** Refuses a body that is too long, however it came. */
export function checkBodyLength({ body }: ServerRequest): void {
  if (body.length > maxBodyBytes) throw tooLarge(`Request entity too large: limit is ${maxBodyBytes}`);
}
