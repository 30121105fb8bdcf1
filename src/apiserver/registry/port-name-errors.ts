import { type FieldError, invalid } from "../../schema/index.ts";

/** A port's name is a service name as IANA registers them. */
export function portNameErrors(name: string, field: string): FieldError[] {
  return faults.filter(([, fits]) => !fits(name)).map(([fault]) => invalid(field, name, fault));
}

const faults: ReadonlyArray<readonly [fault: string, fits: (name: string) => boolean]> = [
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
