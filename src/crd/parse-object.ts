import { apiVersionOf, type Kind, type KubeObject, type StatusCause } from "../api/index.ts";
import {
  applyDefaults,
  type CompiledSchema,
  decodeCustom,
  embeddedErrors,
  type FieldError,
  invalid,
  invalidMessage,
  listErrors,
  toCauses,
  validate,
} from "../schema/index.ts";
import { isRecord } from "./json-schema.ts";

/** An object that an API server would refuse, in its words. */
export class InvalidObjectError extends Error {
  override readonly name = "InvalidObjectError";
  /** One for each thing that is wrong, as a `Status` has them. */
  readonly causes: readonly StatusCause[];

  constructor(message: string, causes: readonly StatusCause[]) {
    super(message);
    this.causes = causes;
  }
}

/**
 * The object with its defaults and without unknown fields. One that does not say its kind is taken for one of this.
 *
 * @throws {InvalidObjectError} if it breaks the schema
 * @throws {DecodeError} if its metadata is no metadata
 */
export function parseObject(value: unknown, kind: Kind, schema: CompiledSchema): KubeObject {
  if (!isRecord(value)) throw new InvalidObjectError(`expected a ${kind.kind}, got ${typeof value}`, []);
  const named = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  // The decoder has seen to it that metadata is metadata.
  const decoded = applyDefaults(decodeCustom(value, schema).value, schema) as Partial<KubeObject>;
  const object = { ...named, metadata: {}, ...decoded } as KubeObject;
  const errors = [...kindErrors(object, named), ...schemaErrors(object, schema)];
  if (errors.length === 0) return object;
  const { group, kind: name } = kind;
  const message = invalidMessage({ group, kind: name, name: object.metadata.name ?? "" }, errors);
  throw new InvalidObjectError(message, toCauses(errors));
}

function kindErrors(
  object: KubeObject,
  named: { readonly apiVersion: string; readonly kind: string },
): FieldError[] {
  return (["apiVersion", "kind"] as const)
    .filter((field) => object[field] !== named[field])
    .map((field) => invalid(field, object[field], `must be ${named[field]}`));
}

function schemaErrors(object: KubeObject, schema: CompiledSchema): FieldError[] {
  return [
    ...validate(object, schema),
    ...embeddedErrors(object, schema, { metadata: () => [] }),
    ...listErrors(object, schema),
  ];
}
