/**
 * Flags of a program by name without dashes. A list gives the flag once for each of its values;
 * `undefined` leaves the flag out.
 */
export type Flags = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The arguments for `defaults` as changed by `overrides`: replaced where both have a name, added otherwise. */
export function flagArguments(defaults: Flags, overrides: Flags = {}): string[] {
  return Object.entries({ ...defaults, ...overrides }).flatMap(([name, value = []]) =>
    [value].flat().map((one) => `--${name}=${one}`),
  );
}
