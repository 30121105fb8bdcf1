/** A review that cannot be answered. The API server gets it as an HTTP error, and applies the failure policy. */
export class ReviewError extends Error {
  override readonly name: string = "ReviewError";
  /** The HTTP status code. */
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
