import { codeInSchema, codeMark } from "./code-in-schema.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";

/** A schema of any library that supports Standard Schema with JSON Schema: zod 4.2 or newer, arktype, valibot. */
export interface Schema<Output = unknown, Input = unknown> {
  readonly "~standard": {
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => JsonSchema;
      readonly output: (options: JsonSchemaOptions) => JsonSchema;
    };
  };
}

interface JsonSchemaOptions {
  readonly target: "draft-2020-12";
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The output type of a schema: the type of a field after an API server has accepted and defaulted it. */
export type OutputOf<S> = S extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : never;

/** The input type of a schema: the type of a field as clients write it, where a field with a default is optional. */
export type InputOf<S> = S extends {
  readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined };
}
  ? Input
  : never;

/** The JSON Schemas of the values that clients write, and of the values after the library's code ran. */
export interface JsonSchemas {
  readonly input: unknown;
  readonly output: unknown;
}

/**
 * Converts a schema to JSON Schema, for input and output.
 *
 * @throws the library's error for a schema that JSON Schema cannot express; it does not name the field
 */
export function jsonSchemasOf(schema: Schema): JsonSchemas {
  const standard: Partial<Schema["~standard"]> | undefined = schema["~standard"];
  if (!standard?.jsonSchema) {
    throw new Error(
      "expected a schema with JSON Schema support (zod 4.2 or newer, arktype, valibot), got one without",
    );
  }
  const { vendor, jsonSchema } = standard;
  const options = { target: "draft-2020-12", libraryOptions: vendor === "zod" ? zodOptions : {} } as const;
  return { input: jsonSchema.input(options), output: jsonSchema.output(options) };
}

/** The keyword that marks a value that JSON cannot represent. Its value is the library's name of the type. */
export const unrepresentable = "x-unrepresentable";

/**
 * Makes zod mark types that JSON cannot represent, for which it would throw without naming the field, and code, which
 * it would omit.
 */
const zodOptions = {
  unrepresentable: "any",
  override({ zodSchema, jsonSchema }: { readonly zodSchema: unknown; readonly jsonSchema: unknown }): void {
    if (!isRecord(jsonSchema)) return;
    const code = codeInSchema(zodSchema);
    if (code !== undefined) jsonSchema[codeMark] = code;
    if (Object.keys(jsonSchema).length > 0) return;
    const type = typeOf(zodSchema);
    if (type !== undefined && !anyValueTypes.has(type)) jsonSchema[unrepresentable] = type;
  },
};

/** Types of zod that allow any value by intention, or have the schema of their inner type. */
const anyValueTypes: ReadonlySet<string> = new Set([
  "any",
  "unknown",
  "optional",
  "nonoptional",
  "default",
  "prefault",
  "readonly",
  "catch",
  "lazy",
  "pipe",
]);

function typeOf(zodSchema: unknown): string | undefined {
  if (!isRecord(zodSchema) || !isRecord(zodSchema._zod) || !isRecord(zodSchema._zod.def)) return undefined;
  return String(zodSchema._zod.def.type);
}
