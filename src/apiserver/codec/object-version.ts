/** An object as JSON without resourceVersion, and its revision. An object that a dry run creates has no revision. */
export interface ObjectVersion {
  readonly json: string;
  readonly revision: number | undefined;
  /** The stored version with the same JSON, if this one has another revision. Conversions are cached by it. */
  readonly source?: ObjectVersion | undefined;
}
