import { createHash } from "node:crypto";

/** Characters of generated names: no vowels, so that no word appears by accident. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * Returns a name for a template: equal templates have equal names, in any order of their fields. A `collision`
 * gives another name for the same template. Other programs compute other names.
 */
export function templateHash(template: unknown, collision: number | undefined): string {
  const digest = createHash("sha256")
    .update(canonicalJson(template))
    .update(`/${collision ?? 0}`)
    .digest();
  return Array.from(digest.subarray(0, 10), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** Returns JSON whose fields are sorted, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isRecord(part) ? sorted(part) : part));
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
