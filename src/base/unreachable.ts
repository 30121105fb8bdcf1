/** Closes a `switch` over a union. It does not compile if a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`expected every case to be handled, got ${JSON.stringify(value)}`);
}
