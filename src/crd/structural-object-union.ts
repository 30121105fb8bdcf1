import { equal, type StructuralSchema } from "../schema/index.ts";
import { fieldAt, type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import { type Alternatives, sameType } from "./same-type.ts";

/**
 * One object for several: it declares the fields of all, and what is special to each of them is an alternative. An object
 * that keeps to one alternative may have fields of the others beside.
 */
export function objectUnion(
  schemas: readonly StructuralSchema[],
  word: Alternatives,
  place: Place,
): StructuralSchema | undefined {
  if (schemas.some((each) => each.type !== "object")) return undefined;
  if (schemas.some((each) => each.properties === undefined || each[openToAll])) return refuse(place, open);
  const names = new Set(schemas.flatMap((each) => Object.keys(each.properties ?? {})));
  const properties = Object.fromEntries(
    Array.from(names, (name) => [name, commonField(name, schemas, fieldAt(place, name))]),
  );
  const required = [...names].filter((name) => schemas.every((each) => each.required?.includes(name)));
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    [word]: schemas.map((each) => alternative(each, properties)),
  };
}

const openToAll = "x-kubernetes-preserve-unknown-fields";
const open = "of alternatives that are objects each has to declare its fields at an API server";

/** What the field is in all alternatives that have it. */
function commonField(name: string, schemas: readonly StructuralSchema[], place: Place): StructuralSchema {
  const fields = schemas.flatMap((each) => each.properties?.[name] ?? []);
  const [first = {}, ...others] = fields;
  const everywhere = fields.length === schemas.length;
  if (!everywhere && fields.some((each) => each.default !== undefined)) {
    return refuse(place, "an API server would set its default in the other alternatives too");
  }
  if (others.every((each) => equal(bare(each), bare(first)))) return first;
  const special = fields.some((each) => each.nullable || each.default !== undefined);
  const common = special ? undefined : sameType(fields, "anyOf");
  return (
    common ?? refuse(place, "its schemas in several alternatives differ in more than the values they allow")
  );
}

function bare({ title: _, description: __, ...schema }: StructuralSchema): StructuralSchema {
  return schema;
}

function alternative(
  schema: StructuralSchema,
  common: Readonly<Record<string, StructuralSchema>>,
): StructuralSchema {
  const { properties = {}, ...rest } = schema;
  const special = Object.entries(properties).filter(
    ([name, field]) => !equal(bare(field), bare(common[name] ?? {})),
  );
  const fields = special.map(([name, field]) => [name, restriction(field)]);
  return { ...restriction(rest), ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }) };
}
