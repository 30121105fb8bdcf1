import { alternativesOf, type CrdSchema, itemsOf, propertiesOf, propertyOf } from "./crd-schema.ts";
import { type FieldError, required } from "./field-error.ts";

/**
 * Fields that only a restriction at the root knows: each must be declared by the schema proper. Restrictions further
 * inside are not looked at, as kube-apiserver does not look at them.
 */
export function* completenessErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  yield* undeclared({ schema, path }, { schema, path });
}

interface Place {
  readonly schema: CrdSchema;
  readonly path: string;
}

/** What is restricted inside one schema and not declared in the other. */
function* undeclared(restriction: Place, proper: Place): Iterable<FieldError> {
  for (const [step, schema] of alternativesOf(restriction.schema)) {
    yield* undeclaredInside({ schema, path: `${restriction.path}.${step}` }, proper);
  }
}

function* undeclaredInside(restriction: Place, proper: Place): Iterable<FieldError> {
  yield* undeclared(restriction, proper);
  const items = itemsOf(restriction.schema);
  if (items) {
    const declared = { schema: itemsOf(proper.schema), path: `${proper.path}.items` };
    yield* compare({ schema: items, path: `${restriction.path}.items` }, declared);
  }
  for (const [name, schema] of propertiesOf(restriction.schema)) {
    const step = `properties[${name}]`;
    const declared = { schema: propertyOf(proper.schema, name), path: `${proper.path}.${step}` };
    yield* compare({ schema, path: `${restriction.path}.${step}` }, declared);
  }
}

function* compare(
  restriction: Place,
  { schema, path }: { schema: CrdSchema | undefined; path: string },
): Iterable<FieldError> {
  if (schema) yield* undeclaredInside(restriction, { schema, path });
  else yield required(path, `because it is defined in ${restriction.path}`);
}
