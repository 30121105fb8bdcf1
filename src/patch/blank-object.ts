import { type AnyKind, kindName, type SchemaFacts } from "../api/index.ts";
import { facts } from "../api/types/facts.ts";
import { type JsonObject, setField } from "./json-value.ts";

/**
 * An object of a built-in kind before anybody set anything: the parts that the server's own types always have. Nobody
 * owns those, so a write is compared with this where there was no object before.
 *
 * Custom resources, and kinds that the pinned release does not have, begin as `{}`.
 */
export function blankObject(kind: AnyKind): JsonObject {
  const name = facts().schemaNames.get(kindName(kind));
  return name === undefined ? {} : blankOf(name);
}

function blankOf(name: string): JsonObject {
  const known = blanks.get(name);
  if (known) return known;
  const { properties = {}, required = [] } = facts().schemas.get(name) ?? {};
  const blank: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(properties)) {
    const value = blankField(schema, required.includes(field));
    if (value !== undefined) setField(blank, field, value);
  }
  blanks.set(name, blank);
  return blank;
}

const blanks = new Map<string, JsonObject>();

/** A part that is no pointer is always there; of other fields, those that must be are, with Go's idea of nothing. */
function blankField(schema: SchemaFacts, required: boolean): unknown {
  if (schema.ref !== undefined && isEmptyObject(schema.default)) return blankOf(schema.ref);
  return required ? (schema.default ?? null) : undefined;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
