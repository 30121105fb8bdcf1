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

/** Thrown for an object that an API server would refuse. The message is the server's. */
export class InvalidObjectError extends Error {
  override readonly name = "InvalidObjectError";
  /** One cause for each error, as in a `Status`. */
  readonly causes: readonly StatusCause[];

  constructor(message: string, causes: readonly StatusCause[]) {
    super(message);
    this.causes = causes;
  }
}

/**
 * Returns the object with its defaults and without unknown fields. Sets apiVersion and kind if they are missing.
 *
 * @throws {InvalidObjectError} if it violates the schema
 * @throws {DecodeError} if its metadata is invalid
 */
export function parseObject(value: unknown, kind: Kind, schema: CompiledSchema): KubeObject {
  if (!isRecord(value)) throw new InvalidObjectError(`expected a ${kind.kind}, got ${typeof value}`, []);
  const expected = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  // The decoder has validated the metadata.
  const decoded = applyDefaults(decodeCustom(value, schema).value, schema) as Partial<KubeObject>;
  const object = { ...expected, metadata: {}, ...decoded } as KubeObject;
  const errors = [...kindErrors(object, expected), ...schemaErrors(object, schema)];
  if (errors.length === 0) return object;
  const { group, kind: name } = kind;
  const message = invalidMessage({ group, kind: name, name: object.metadata.name ?? "" }, errors);
  throw new InvalidObjectError(message, toCauses(errors));
}

function kindErrors(
  object: KubeObject,
  expected: { readonly apiVersion: string; readonly kind: string },
): FieldError[] {
  return (["apiVersion", "kind"] as const)
    .filter((field) => object[field] !== expected[field])
    .map((field) => invalid(field, object[field], `must be ${expected[field]}`));
}

function schemaErrors(object: KubeObject, schema: CompiledSchema): FieldError[] {
  return [
    ...validate(object, schema),
    ...embeddedErrors(object, schema, { metadata: () => [] }),
    ...listErrors(object, schema),
  ];
}
