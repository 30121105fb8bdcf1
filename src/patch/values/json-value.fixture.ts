import fc from "fast-check";
import type { JsonObject } from "../../schema/index.ts";

const key = fc.constantFrom("a", "b", "c", "", "x/y", "~", "__proto__", "constructor");
const scalar = fc.constantFrom(null, true, false, 0, 1, 1.5, "", "x", "é");

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Generates any JSON from few keys and scalars, so that two values have much in common. */
export const jsonValue: fc.Arbitrary<unknown> = value;

export const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(key, jsonValue, {
  maxKeys: 4,
  noNullPrototype: true,
});

/** Returns every JSON pointer of a value with the value it points to, the whole first. */
export function pointers(whole: unknown, at = ""): Array<{ readonly path: string; readonly value: unknown }> {
  const inner = typeof whole === "object" && whole !== null ? Object.entries(whole) : [];
  return [
    { path: at, value: whole },
    ...inner.flatMap(([key, each]) =>
      pointers(each, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    ),
  ];
}
