import fc, { type Arbitrary } from "fast-check";
import { fields, mostly, option, pick } from "./arbitraries.ts";
import type { JsonObject } from "./script.ts";
import type { Subject } from "./subject.ts";

/** Few names, so that requests hit the same objects. */
export const name: Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: pick("a") },
  { weight: 4, arbitrary: pick("b") },
  { weight: 2, arbitrary: pick("c") },
  { weight: 1, arbitrary: pick("Bad_Name", "a.b", "x".repeat(64)) },
);

/** Query parameters of writes. */
export const writeQuery: Arbitrary<JsonObject> = fields({
  dryRun: option(mostly(pick("All"), pick("None", "")), { nil: undefined, freq: 10 }),
  fieldManager: option(mostly(pick("one", "two"), pick("", "x".repeat(129), "bell\u0007")), {
    nil: undefined,
    freq: 4,
  }),
  fieldValidation: option(mostly(pick("Strict", "Warn", "Ignore"), pick("Nope")), {
    nil: undefined,
    freq: 6,
  }),
});

export function collectionPath({ root, plural }: Subject): string {
  return `${root}/namespaces/{ns}/${plural}`;
}

export function objectPath(subject: Subject, called: string): string {
  return `${collectionPath(subject)}/${called}`;
}

/** Returns `?a=1&b=2` or an empty string. References to a server's values are kept for later replacement. */
export function queryOf(parameters: JsonObject): string {
  const parts = Object.entries(parameters).map(([key, value]) => `${key}=${encoded(String(value))}`);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function encoded(value: string): string {
  return /^\{\w+:.*\}$/.test(value) ? value : encodeURIComponent(value);
}
