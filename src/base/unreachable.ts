/** Ends a `switch` over a union: the compiler refuses it where a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`expected every case to be handled, got ${JSON.stringify(value)}`);
}
