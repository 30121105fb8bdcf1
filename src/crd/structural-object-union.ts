import { equal, type StructuralSchema } from "../schema/index.ts";
import { fieldAt, type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import { type Alternatives, scalarUnion } from "./scalar-union.ts";

/**
 * Merges several object schemas into one: it declares the fields of all, and the differences between them are
 * alternatives. An object that matches one alternative may have fields of the others.
 */
export function objectUnion(
  schemas: readonly StructuralSchema[],
  keyword: Alternatives,
  place: Place,
): StructuralSchema | undefined {
  if (schemas.some((each) => each.type !== "object")) return undefined;
  if (schemas.some((each) => each.properties === undefined || each[preserveUnknown]))
    return refuse(place, undeclaredFields);
  const names = new Set(schemas.flatMap((each) => Object.keys(each.properties ?? {})));
  const properties = Object.fromEntries(
    Array.from(names, (name) => [name, commonField(name, schemas, fieldAt(place, name))]),
  );
  const required = [...names].filter((name) => schemas.every((each) => each.required?.includes(name)));
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    [keyword]: schemas.map((each) => alternative(each, properties)),
  };
}

const preserveUnknown = "x-kubernetes-preserve-unknown-fields";
const undeclaredFields = "every alternative that is an object must declare its fields";

/** Returns the schema of a field in all alternatives that have it. */
function commonField(name: string, schemas: readonly StructuralSchema[], place: Place): StructuralSchema {
  const fields = schemas.flatMap((each) => each.properties?.[name] ?? []);
  const [first = {}, ...others] = fields;
  const everywhere = fields.length === schemas.length;
  if (!everywhere && fields.some((each) => each.default !== undefined)) {
    return refuse(place, "an API server would set the default in the other alternatives too");
  }
  if (others.every((each) => equal(withoutAnnotations(each), withoutAnnotations(first)))) return first;
  const special = fields.some(
    (each) => each.nullable || each.default !== undefined || each["x-kubernetes-validations"],
  );
  const common = special ? undefined : scalarUnion(fields, "anyOf");
  return (
    common ??
    refuse(place, "the schemas of this field in the alternatives may differ only in the values they allow")
  );
}

function withoutAnnotations({ title: _, description: __, ...schema }: StructuralSchema): StructuralSchema {
  return schema;
}

function alternative(
  schema: StructuralSchema,
  common: Readonly<Record<string, StructuralSchema>>,
): StructuralSchema {
  const { properties = {}, ...rest } = schema;
  const special = Object.entries(properties).filter(
    ([name, field]) => !equal(withoutAnnotations(field), withoutAnnotations(common[name] ?? {})),
  );
  const fields = special.map(([name, field]) => [name, restriction(field)]);
  return { ...restriction(rest), ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }) };
}
