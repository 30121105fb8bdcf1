/**
 * What a server answers to a patch that fails.
 *
 * - `malformed`: 400, with the message. The patch is none of its type.
 * - `inapplicable`: 422. The patch does not fit the object; a real server keeps the reason to itself.
 * - `tooLarge`: 413, with the message.
 * - `failed`: 500 without a reason, with the message. A real server has not foreseen what is wrong.
 */
export type PatchFailure = "malformed" | "inapplicable" | "tooLarge" | "failed";

/** A patch that changes nothing, since it is wrong or does not fit. Messages of answers are a real server's. */
export class PatchError extends Error {
  override readonly name: string = "PatchError";
  readonly failure: PatchFailure;

  constructor(failure: PatchFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

export function malformed(message: string): PatchError {
  return new PatchError("malformed", message);
}

export function inapplicable(message: string): PatchError {
  return new PatchError("inapplicable", message);
}

export function tooLarge(message: string): PatchError {
  return new PatchError("tooLarge", message);
}

export function failed(message: string): PatchError {
  return new PatchError("failed", message);
}
