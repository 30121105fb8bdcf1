import { equal, type StructuralSchema } from "../schema/index.ts";
import { eachAt, fieldAt, type Place, refuse } from "./place.ts";

/** The schemas of the values that clients write and that the program reads. */
export interface InputAndOutput {
  readonly input: StructuralSchema;
  readonly output: StructuralSchema;
}

/**
 * Reports every field whose type differs between input and output, and every field that only the library's code would
 * set: an API server stores the input and adds nothing but defaults.
 */
export function checkInputEqualsOutput({ input, output }: InputAndOutput, place: Place): void {
  const differs = !equal(ownOf(input), ownOf(output));
  if (differs)
    refuse(place, "input and output types differ, but an API server runs no code: declare the stored type");
  else for (const part of partsOf({ input, output }, place)) checkInputEqualsOutput(part, part.place);
}

/** Returns a schema without its children, and without the parts that defaults change. */
function ownOf(schema: StructuralSchema): StructuralSchema {
  const { properties, additionalProperties, items: _, required: __, default: ___, ...own } = schema;
  const values = typeof additionalProperties === "object" ? {} : additionalProperties;
  return { ...own, ...(values === undefined ? {} : { additionalProperties: values }) };
}

interface Part extends InputAndOutput {
  readonly place: Place;
}

function* partsOf({ input, output }: InputAndOutput, place: Place): Iterable<Part> {
  for (const [name, field] of Object.entries(output.properties ?? {})) {
    const source = input.properties?.[name] ?? {};
    const at = fieldAt(place, name);
    if (isComputed(name, { input, output })) refuse(at, computedDefault);
    else yield { input: source, output: field, place: at };
  }
  if (input.items && output.items) yield { input: input.items, output: output.items, place: eachAt(place) };
  const [source, values] = [input.additionalProperties, output.additionalProperties];
  if (typeof source === "object" && typeof values === "object") {
    yield { input: source, output: values, place: eachAt(place) };
  }
}

const computedDefault =
  "the default is not part of the JSON Schema, so an API server would not set it: " +
  "use a constant default, or make the field optional";

/** Returns true if a field is always present in the output, although it is optional in the input and has no default. */
function isComputed(name: string, { input, output }: InputAndOutput): boolean {
  const inOutput = output.required?.includes(name) ?? false;
  const inInput = input.required?.includes(name) ?? false;
  return inOutput && !inInput && input.properties?.[name]?.default === undefined;
}
