import { withShiftedDate } from "../base/index.ts";
import { equal, type StructuralSchema } from "../schema/index.ts";
import { eachAt, fieldAt, type Place, refuse } from "./place.ts";

/** One schema, converted at two times. */
export interface Conversions {
  readonly first: StructuralSchema;
  readonly second: StructuralSchema;
}

/** Runs `convert` at another time: year, month, day, hour, minute, second and millisecond all differ. */
export function atAnotherTime<T>(convert: () => T): T {
  return withShiftedDate(anotherTimeMs, convert);
}

const dayMs = 24 * 60 * 60 * 1000;
const anotherTimeMs = (366 + 31 + 1) * dayMs + 3_661_001;

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
