import { ApiError } from "trimtab/client";

/** The error of a server. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  /** The server's message, without our client's text around it. */
  readonly message: string;
  readonly details?: unknown;
}

/** Returns the server's error for a call. Throws if the call succeeded or failed for another reason. */
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
