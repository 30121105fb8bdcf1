import { realClock } from "../base/index.ts";
import { equal, type StructuralSchema } from "../schema/index.ts";
import { eachAt, fieldAt, type Place, refuse } from "./place.ts";

/** One schema, converted at two times. */
export interface Conversions {
  readonly first: StructuralSchema;
  readonly second: StructuralSchema;
}

/**
 * Runs `convert` in another millisecond than the caller runs in, so that a default taken from the clock differs. A default that
 * changes more seldom, such as the date of today, is not recognised.
 */
export function inAnotherMillisecond<T>(convert: () => T): T {
  const beforeMs = realClock.now();
  while (realClock.now() === beforeMs); // for at most a millisecond
  return convert();
}

/**
 * Refuses every field whose default is not the same in two conversions, such as `.default(() => new Date().toISOString())`.
 * A CustomResourceDefinition holds one value, which every object would get.
 */
export function checkConstantDefaults({ first, second }: Conversions, place: Place): void {
  if (!equal(first.default, second.default)) {
    refuse(
      place,
      "its default is another value each time, and an API server would give all objects the first one: " +
        "make the field optional, and set it where the object is created or reconciled",
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
