/**
 * Thrown by the function of `DeltaFifo.pop` to queue the deltas again, at the end of the queue. There is no backoff.
 *
 * @param cause what `pop` rejects with. @default `pop` resolves
 */
export class RequeueError extends Error {
  override readonly name: string = "RequeueError";

  constructor(cause?: Error) {
    super(cause ? `requeued after ${cause.message}` : "requeued", { cause });
  }
}
