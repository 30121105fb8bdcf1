import type { StructuralSchema } from "../schema/index.ts";
import { allowsAnything, isRecord, type JsonSchema, listOf } from "./json-schema.ts";
import { eachAt, fieldAt, type Place, refuse } from "./place.ts";
import type { Read } from "./structural-list.ts";
import { numbers } from "./structural-scalar.ts";

/** An object with fields, or a map. Fields that are not declared are pruned by the server, unless all are welcome. */
export function objectSchema(given: JsonSchema, place: Place, read: Read): StructuralSchema {
  const schema = withNamedKeys(given);
  if (hasKeyRules(schema)) return refuse(place, "an API server cannot check the keys of a map");
  const { properties, additionalProperties: others = properties === undefined } = schema;
  const size = numbers(schema, ["minProperties", "maxProperties"]);
  if (others !== false && !allowsAnything(others)) {
    if (isRecord(properties) && Object.keys(properties).length > 0) return refuse(place, mixed);
    return { type: "object", additionalProperties: read(others, eachAt(place)), ...size };
  }
  const fields = fieldsOf(schema, place, read);
  return { type: "object", ...fields, ...(others === false ? {} : openToAll), ...size };
}

/** Why a map with fields is refused. */
export const mixed = "an API server has either declared fields or a schema for all others, not both";
const openToAll: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };

/** A map whose keys are a list of names is an object with those fields. */
function withNamedKeys(schema: JsonSchema): JsonSchema {
  const { propertyNames, additionalProperties, ...rest } = schema;
  const names = isRecord(propertyNames) ? propertyNames.enum : undefined;
  if (names === undefined || rest.properties !== undefined) return schema;
  const properties = Object.fromEntries(listOf(names).map((name) => [name, additionalProperties]));
  return { ...rest, properties };
}

function hasKeyRules({ propertyNames }: JsonSchema): boolean {
  return isRecord(propertyNames) && Object.keys(propertyNames).some((word) => word !== "type");
}

/** A field with a default is never missing, so it need not be required. */
function fieldsOf({ properties, required }: JsonSchema, place: Place, read: Read): StructuralSchema {
  if (!isRecord(properties)) return {};
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, read(field, fieldAt(place, name))]),
  );
  const needed = listOf(required)
    .map(String)
    .filter((name) => fields[name]?.default === undefined);
  return { properties: fields, ...(needed.length === 0 ? {} : { required: needed }) };
}
