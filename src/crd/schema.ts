import { isRecord, type JsonSchema } from "./json-schema.ts";

/** A schema of any library that speaks Standard Schema with JSON Schema: zod 4.2 or newer, arktype, valibot. */
export interface Schema<Output = unknown> {
  readonly "~standard": {
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
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

/** What a schema makes of a value: the type of a field that an API server has accepted and filled in. */
export type OutputOf<S> = S extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : never;

/** What may be written, and what is read after the library's own code ran. */
export interface BothWays {
  readonly input: unknown;
  readonly output: unknown;
}

/**
 * A schema as JSON Schema, in both directions.
 *
 * @throws what the library throws where it cannot say something in JSON Schema, without the field it stands at
 */
export function jsonSchemasOf(schema: Schema): BothWays {
  const standard: Partial<Schema["~standard"]> | undefined = schema["~standard"];
  if (!standard?.jsonSchema) {
    throw new Error(
      "expected a schema that gives JSON Schema (zod 4.2 or newer, arktype, valibot), got none",
    );
  }
  const { vendor, jsonSchema } = standard;
  const options = { target: "draft-2020-12", libraryOptions: vendor === "zod" ? zodOptions : {} } as const;
  return { input: jsonSchema.input(options), output: jsonSchema.output(options) };
}

/** Stands, with the library's word for it, where a value is none of JSON. */
export const unrepresentable = "x-unrepresentable";

/** By itself zod throws at what is none of JSON, without saying where. This has it mark the place. */
const zodOptions = {
  unrepresentable: "any",
  override({ zodSchema, jsonSchema }: { readonly zodSchema: unknown; readonly jsonSchema: unknown }): void {
    if (!isRecord(jsonSchema) || Object.keys(jsonSchema).length > 0) return;
    const type = typeOf(zodSchema);
    if (type !== undefined && !anything.has(type)) Object.assign(jsonSchema, { [unrepresentable]: type });
  },
};

/** What is anything by intention, and what is as what it holds. */
const anything: ReadonlySet<string> = new Set([
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
