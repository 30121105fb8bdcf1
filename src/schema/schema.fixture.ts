import fc from "fast-check";
import type { StructuralSchema } from "./structure/structural-schema.ts";

/** A small set of names, so that values and schemas overlap. Some of them have a meaning in JavaScript. */
const names = ["a", "b", "c", "__proto__", "constructor", "toString"];

/** Generates any JSON with the keys of the schemas. */
export function jsonValues(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      scalars,
      fc.array(tie("value"), { maxLength: 3 }),
      objects(tie("value")),
    ),
  })).value;
}

const scalars = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom("", "x", "yy"),
);

function objects<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 4, noNullPrototype: true });
}

/** Generates schemas of any shape with valid defaults. */
export function structuralSchemas(): fc.Arbitrary<StructuralSchema> {
  return fc.letrec<{ schema: StructuralSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      scalarSchemas,
      fc.record({ type: fc.constant("array" as const), items: tie("schema"), nullable: fc.boolean() }),
      fc.record({ type: fc.constant("object" as const), additionalProperties: tie("schema") }),
      fc.record({
        type: fc.constant("object" as const),
        properties: objects(tie("schema")),
        nullable: fc.boolean(),
        "x-kubernetes-preserve-unknown-fields": fc.constantFrom(true as const, undefined),
      }),
    ),
  })).schema;
}

const scalarSchemas: fc.Arbitrary<StructuralSchema> = fc.oneof(
  fc.record({
    type: fc.constant("integer" as const),
    default: fc.constantFrom(undefined, 0, 2),
    maximum: fc.constantFrom(2, 3),
  }),
  fc.record({
    type: fc.constant("string" as const),
    default: fc.constantFrom(undefined, "", "x"),
    nullable: fc.boolean(),
  }),
  fc.record({ type: fc.constant("boolean" as const), default: fc.constantFrom(undefined, false) }),
  fc.constant<StructuralSchema>({ "x-kubernetes-preserve-unknown-fields": true }),
  fc.constant<StructuralSchema>({ "x-kubernetes-int-or-string": true, default: 1 }),
);
