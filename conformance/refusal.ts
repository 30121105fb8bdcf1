import { ApiError } from "trimtab/client";

/** What a server says when it refuses. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  /** The server's own words, without those of our client around them. */
  readonly message: string;
  readonly details?: unknown;
}

/** Why the server refused a call. Throws when it did not, and when it was not the server who refused. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(unexpected, (thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw error;
  const { code, reason, details } = error;
  const message = error.message.replace(/^expected .*?, got \d+ \w+(: )?/, "");
  return { code, reason, message, ...(details && { details }) };
}

function unexpected(answer: unknown): Error {
  return new Error(`expected a refusal, got ${JSON.stringify(answer)}`);
}
