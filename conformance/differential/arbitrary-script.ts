import fc, { type Arbitrary } from "fast-check";
import { creation, stepOf } from "./arbitrary-step.ts";
import type { JsonObject, Script, Step } from "./script.ts";
import type { Subject } from "./subject.ts";

/** A script about one kind. It usually starts with a create. */
export function scriptOf(subjects: readonly Subject[]): Arbitrary<Script> {
  return fc.oneof(...subjects.map(scriptAbout));
}

function scriptAbout(subject: Subject): Arbitrary<Script> {
  const first = fc.array(creation(subject), { maxLength: 3, size: "max" });
  const rest = fc.array(stepOf(subject), { minLength: 1, maxLength: 12, size: "max" });
  return fc
    .tuple(first, rest)
    .map((parts) => ({ subject: subject.plural, steps: parts.flat().map(withOwnGeneratedName) }));
}

/** Each step generates names with its own prefix, so that lists have the same order on every server. */
function withOwnGeneratedName(step: Step, index: number): Step {
  const { body } = step;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return step;
  const metadata = (body as JsonObject).metadata as JsonObject | undefined;
  if (metadata?.generateName === undefined) return step;
  return { ...step, body: { ...body, metadata: { ...metadata, generateName: `g${index}-` } } };
}
