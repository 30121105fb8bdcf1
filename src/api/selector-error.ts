/** Thrown for a selector that cannot be parsed. The message names the selector and the position. */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
  /** Offset in the selector, from 0. */
  readonly at: number;

  /** @param kind "label" or "field" */
  constructor(
    kind: string,
    text: string,
    { expected, got, at }: { expected: string; got: string; at: number },
  ) {
    super(
      `expected ${expected} at character ${at + 1} of ${kind} selector ${JSON.stringify(text)}, got ${got}`,
    );
    this.at = at;
  }
}
