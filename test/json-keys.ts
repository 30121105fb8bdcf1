import fc from "fast-check";

/**
 * True if `JSON.parse` of this Node confuses keys. Once it has read an object with a backslash in a key, it compares
 * that key with the undecoded bytes of later keys at the same position: after `{"\\":1}` it reads `{"\"":1}` with the
 * key `\`, and `{"\n":1}` too. The fault is in V8; Node 24 and 26 have it, Node 20 and 22 do not.
 */
export const confusesKeys: boolean = Number(process.versions.node.split(".")[0]) >= 24;

/** Removes the keys that make `JSON.parse` of this Node misread other keys, so that tests may compare with it. */
export function parsableKeys(keys: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return confusesKeys ? keys.filter((key) => !key.includes("\\")) : keys;
}

/** Returns arbitrary JSON values without the keys that make `JSON.parse` of this Node misread other keys. */
export function parsableValues(constraints: fc.JsonSharedConstraints = {}): fc.Arbitrary<unknown> {
  const values = fc.jsonValue(constraints);
  return confusesKeys ? values.filter((value) => !hasBackslashKey(value)) : values;
}

function hasBackslashKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => key.includes("\\") || hasBackslashKey(member));
}
