import { realClock } from "../base/index.ts";
import { equal, type StructuralSchema } from "../schema/index.ts";
import { eachAt, fieldAt, type Place, refuse } from "./place.ts";

/** One schema, converted at two different times. */
export interface Conversions {
  readonly first: StructuralSchema;
  readonly second: StructuralSchema;
}

/**
 * Runs `convert` in another millisecond than the caller, so that a default taken from the clock differs. Does not
 * detect a default that changes less often, such as today's date.
 */
export function inNextMillisecond<T>(convert: () => T): T {
  const beforeMs = realClock.now();
  while (realClock.now() === beforeMs); // for at most a millisecond
  return convert();
}

/**
 * Reports every field whose default differs between two conversions, such as `.default(() => new
 * Date().toISOString())`. A CustomResourceDefinition holds one value, which every object would get.
 */
export function checkConstantDefaults({ first, second }: Conversions, place: Place): void {
  if (!equal(first.default, second.default)) {
    refuse(
      place,
      "the default changes on every evaluation, but a CustomResourceDefinition holds one value for all objects: " +
        "make the field optional and set it where the object is created or reconciled",
    );
  }
  for (const [name, field] of Object.entries(first.properties ?? {})) {
    checkConstantDefaults({ first: field, second: second.properties?.[name] ?? {} }, fieldAt(place, name));
  }
  if (first.items) checkConstantDefaults({ first: first.items, second: second.items ?? {} }, eachAt(place));
  const [values, others] = [first.additionalProperties, second.additionalProperties];
  if (typeof values === "object") {
    checkConstantDefaults({ first: values, second: typeof others === "object" ? others : {} }, eachAt(place));
  }
}
