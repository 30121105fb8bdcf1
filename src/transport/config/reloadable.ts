/** A value that can change while the process runs, such as one read from a file or returned by a credential plugin. */
export interface Reloadable<T> {
  /**
   * Returns the current value: the same object while it has not changed, and a promise only while it is being loaded.
   */
  current(): T | Promise<T>;
  /** Reports that the server refused `value`. @returns true if the next `current()` may return another value */
  refused(value: T): boolean;
}

/** Returns a value that never changes. */
export function constant<T>(value: T): Reloadable<T> {
  return { current: () => value, refused: () => false };
}
