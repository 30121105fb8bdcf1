/** A value that may be another one later: read from a file, or asked of a plugin. */
export interface Changing<T> {
  /** The value now: the same object while nothing has changed. A promise only when there is something to wait for. */
  current(): T | Promise<T>;
  /** `value` was not accepted. Says whether asking again may give another. */
  refused(value: T): boolean;
}

/** A value that stays. */
export function constant<T>(value: T): Changing<T> {
  return { current: () => value, refused: () => false };
}
