import { equal, type StructuralSchema } from "../schema/index.ts";
import { eachAt, fieldAt, type Place, refuse } from "./place.ts";

/** What may be written, and what the types say is read. */
export interface Both {
  readonly written: StructuralSchema;
  readonly read: StructuralSchema;
}

/**
 * Refuses every field that is read as another type than it is written, or that only the library's own code would fill
 * in: an API server keeps what was written, and adds nothing but defaults.
 */
export function checkKeptAsWritten({ written, read }: Both, place: Place): void {
  const differs = !equal(ownOf(written), ownOf(read));
  if (differs) refuse(place, "it is read as something else than is written, and an API server runs no code");
  else for (const part of partsOf({ written, read }, place)) checkKeptAsWritten(part, part.place);
}

/** A schema without its parts, and without what defaults account for. */
function ownOf(schema: StructuralSchema): StructuralSchema {
  const { properties, additionalProperties, items: _, required: __, default: ___, ...own } = schema;
  const values = typeof additionalProperties === "object" ? {} : additionalProperties;
  return { ...own, ...(values === undefined ? {} : { additionalProperties: values }) };
}

interface Part extends Both {
  readonly place: Place;
}

function* partsOf({ written, read }: Both, place: Place): Iterable<Part> {
  for (const [name, field] of Object.entries(read.properties ?? {})) {
    const source = written.properties?.[name] ?? {};
    const at = fieldAt(place, name);
    if (isMade(name, { written, read })) refuse(at, "its default is in the code of the library alone");
    else yield { written: source, read: field, place: at };
  }
  if (written.items && read.items) yield { written: written.items, read: read.items, place: eachAt(place) };
  const [source, values] = [written.additionalProperties, read.additionalProperties];
  if (typeof source === "object" && typeof values === "object") {
    yield { written: source, read: values, place: eachAt(place) };
  }
}

/** Whether a field is there when it is read, though nobody has to write it and it has no default. */
function isMade(name: string, { written, read }: Both): boolean {
  const always = read.required?.includes(name) ?? false;
  const needed = written.required?.includes(name) ?? false;
  return always && !needed && written.properties?.[name]?.default === undefined;
}
