import { type FieldError, invalid } from "../../schema/index.ts";

/** Returns the errors in a port name, which is an IANA service name. */
export function portNameErrors(name: string, field: string): FieldError[] {
  return rules.filter(([, matches]) => !matches(name)).map(([detail]) => invalid(field, name, detail));
}

const rules: ReadonlyArray<readonly [detail: string, matches: (name: string) => boolean]> = [
  ["must be no more than 15 characters", (name) => name.length <= 15],
  [
    "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    (name) => /^[-a-z0-9]+$/.test(name),
  ],
  ["must contain at least one letter (a-z)", (name) => /[a-z]/.test(name)],
  ["must not contain consecutive hyphens", (name) => !name.includes("--")],
  [
    "must not begin or end with a hyphen",
    (name) => name === "" || (!name.startsWith("-") && !name.endsWith("-")),
  ],
];
