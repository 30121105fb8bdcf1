import {
  alternativesOf,
  type CrdSchema,
  itemsOf,
  propertiesOf,
  propertyOf,
} from "../structure/crd-schema.ts";
import { type FieldError, required } from "../values/field-error.ts";

/**
 * Reports fields that are declared only inside `allOf`, `anyOf`, `oneOf` or `not` of the root. The schema itself must
 * declare each of them. Like kube-apiserver, it does not check restrictions below the root.
 */
export function* completenessErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  yield* undeclared({ schema, path }, { schema, path });
}

interface Place {
  readonly schema: CrdSchema;
  readonly path: string;
}

/** Reports fields of the restriction that `proper` does not declare. */
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
