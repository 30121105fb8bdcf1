import type { FormatTest } from "./formats.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A schema in the form in which it is run: children found by key, formats and patterns ready to match, and known
 * in advance which parts have anything to do. Made by `compileSchema`; immutable.
 */
export interface CompiledSchema {
  readonly schema: StructuralSchema;
  /** The types a value may have. None for any type, two for an integer or string. */
  readonly types: readonly string[];
  /** `""` where there is none, or it says nothing about values of these types. */
  readonly format: string;
  readonly formatTest: FormatTest | undefined;
  readonly pattern: Pattern | undefined;

  readonly properties: ReadonlyMap<string, CompiledSchema>;
  /** Of `additionalProperties`, where that is a schema. */
  readonly values: CompiledSchema | undefined;
  /** Whether there may be keys beside `properties`: `additionalProperties` is given at all. */
  readonly hasValues: boolean;
  readonly items: CompiledSchema | undefined;
  readonly listType: "atomic" | "set" | "map";
  readonly listMapKeys: readonly string[];

  readonly allOf: readonly CompiledSchema[];
  readonly anyOf: readonly CompiledSchema[];
  readonly oneOf: readonly CompiledSchema[];
  readonly not: CompiledSchema | undefined;

  readonly nullable: boolean;
  readonly preservesUnknown: boolean;
  readonly embeddedResource: boolean;

  /** Whether a set or map list is here or below. */
  readonly hasUniqueLists: boolean;
  /** Whether an embedded resource is here or below. */
  readonly hasEmbeddedResources: boolean;
}

/** A regular expression that takes time linear in the text, whatever the expression. */
export interface Pattern {
  readonly source: string;
  matches(text: string): boolean;
}
