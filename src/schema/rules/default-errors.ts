import { decodeEmbedded, EmbeddedMetaError } from "../decoding/decode-embedded.ts";
import { DecodeError } from "../decoding/decode-run.ts";
import { prune } from "../decoding/prune.ts";
import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { type CrdSchema, hasDefault, itemsOf, propertiesOf } from "../structure/crd-schema.ts";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { compileSchema } from "../validation/compile-schema.ts";
import { type EmbeddedErrorsOptions, embeddedErrors } from "../validation/embedded-errors.ts";
import { validate } from "../validation/validate.ts";
import { aggregateText, type FieldError, invalid } from "../values/field-error.ts";
import { isObject } from "../values/json-value.ts";

/** The validation of metadata, see `embeddedErrors`. */
export type DefaultErrorsOptions = Pick<EmbeddedErrorsOptions, "metadata">;

/**
 * Returns the defaults of a structural schema that would not be valid values: defaults with unknown fields, and
 * defaults that fail validation. Ignores defaults of map values and inside them.
 */
export function defaultErrors(schema: CrdSchema, path: string, options: DefaultErrorsOptions): FieldError[] {
  const root = { ...schema, "x-kubernetes-embedded-resource": true };
  return [...errorsAt(root, { path, resource: root, steps: [], insideMeta: false, options })];
}

interface Place {
  readonly path: string;
  /** The enclosing resource, and the steps from it to this schema. */
  readonly resource: CrdSchema;
  readonly steps: ReadonlyArray<string | 0>;
  /** True inside apiVersion, kind or metadata of a resource, where a default must result in valid metadata. */
  readonly insideMeta: boolean;
  readonly options: DefaultErrorsOptions;
}

function* errorsAt(schema: CrdSchema, outer: Place): Iterable<FieldError> {
  const resource = schema["x-kubernetes-embedded-resource"];
  const place = resource ? { ...outer, resource: schema, steps: [], insideMeta: false } : outer;
  if (hasDefault(schema)) yield* place.insideMeta ? metaErrors(schema, place) : valueErrors(schema, place);
  const items = itemsOf(schema);
  if (items) yield* errorsAt(items, { ...place, path: `${place.path}.items`, steps: [...place.steps, 0] });
  for (const [name, property] of propertiesOf(schema)) {
    yield* errorsAt(property, {
      ...place,
      path: `${place.path}.properties[${name}]`,
      steps: [...place.steps, name],
      insideMeta: place.insideMeta || (resource === true && metaFields.has(name)),
    });
  }
}

const metaFields: ReadonlySet<string> = new Set(["metadata", "apiVersion", "kind"]);

function* valueErrors(schema: CrdSchema, { path, options }: Place): Iterable<FieldError> {
  const at = `${path}.default`;
  const compiled = compileDeclared(schema);
  const pruned = prune(schema.default, compiled, { resource: compiled.embeddedResource });
  if (pruned.value !== schema.default) yield invalid(at, schema.default, "must not have unknown fields");
  const metaError = findMetaError(schema.default, compiled, at);
  if (metaError) {
    yield metaError;
    return;
  }
  const embedded = embeddedErrors(schema.default, compiled, { path: at, metadata: options.metadata });
  yield* embedded.length > 0 ? embedded : validate(schema.default, compiled, { path: at });
}

function findMetaError(value: unknown, schema: CompiledSchema, path: string): FieldError | undefined {
  try {
    decodeEmbedded(value, { schema, path, unknown: [] });
    return undefined;
  } catch (error) {
    if (error instanceof EmbeddedMetaError) return error.error;
    throw error;
  }
}

/** Validates a default inside metadata in a resource that has no other fields. */
function* metaErrors(schema: CrdSchema, { path, resource, steps, options }: Place): Iterable<FieldError> {
  const at = `${path}.default`;
  const problem = metaProblem(wrapInSteps(schema.default, steps), compileDeclared(resource), options);
  if (problem !== undefined) yield invalid(at, schema.default, `must result in valid metadata: ${problem}`);
  else yield* validate(schema.default, compileDeclared(schema), { path: at });
}

function wrapInSteps(value: unknown, steps: Place["steps"]): unknown {
  const inside = steps.reduceRight(
    (inner: unknown, step) => (step === 0 ? [inner] : { [step]: inner }),
    value,
  );
  return isObject(inside) ? { apiVersion: "validation/v1", kind: "Validation", ...inside } : inside;
}

function metaProblem(
  resource: unknown,
  schema: CompiledSchema,
  options: DefaultErrorsOptions,
): string | undefined {
  try {
    decodeEmbedded(resource, { schema, path: "", unknown: [] });
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  const errors = embeddedErrors(resource, schema, { metadata: options.metadata });
  return errors.length > 0 ? aggregateText(errors) : undefined;
}

/**
 * Compiles a schema without `x-kubernetes-int-or-string`. kube-apiserver checks defaults by the declared types, and
 * accepts any type for a field without one.
 */
function compileDeclared(schema: CrdSchema): CompiledSchema {
  // Earlier rules have verified that the schema is structural.
  return compileSchema(withoutIntOrString(schema) as StructuralSchema);
}

function withoutIntOrString(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutIntOrString);
  if (!isObject(part)) return part;
  const entries = Object.entries(part).filter(([name]) => name !== "x-kubernetes-int-or-string");
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === "default" ? value : withoutIntOrString(value)]),
  );
}
