/**
 * Returns the same error with `note` appended to its message, also in the stack that Node prints.
 *
 * The error keeps its type and fields, so that a test runner still prints the difference of an assertion. An error
 * whose message cannot be changed becomes the cause of a new one.
 */
export function withNote(error: Error, note: string): Error {
  if (note === "") return error;
  const { message, stack } = error;
  const noted = `${message}${note}`;
  try {
    error.message = noted;
    if (stack !== undefined) error.stack = stack.replace(message, () => noted);
    return error;
  } catch {
    // The error is frozen, or its message is a getter, as in a DOMException.
    return new Error(noted, { cause: error });
  }
}
