/**
 * Flags of a program by name without dashes. A list passes the flag once for each of its values; `undefined` omits the
 * flag.
 */
export type Flags = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the command-line arguments for `defaults` with `overrides` applied. */
export function flagArguments(defaults: Flags, overrides: Flags = {}): string[] {
  return Object.entries({ ...defaults, ...overrides }).flatMap(([name, value = []]) =>
    [value].flat().map((one) => `--${name}=${one}`),
  );
}
