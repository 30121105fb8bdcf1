/**
 * The response to a failed patch.
 *
 * - `malformed`: 400 with the message. The patch does not have the right form.
 * - `inapplicable`: 422. The patch does not fit the object. kube-apiserver sends the reason for patches of webhooks
 *   only.
 * - `tooLarge`: 413 with the message.
 * - `failed`: 500 with the message and without a reason. kube-apiserver has no specific error for it.
 */
export type PatchFailure = "malformed" | "inapplicable" | "tooLarge" | "failed";

/** Thrown for a patch that is invalid or does not fit the object. Messages of responses are those of kube-apiserver. */
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
