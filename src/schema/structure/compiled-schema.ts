import type { FormatTest } from "../formats/formats.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A schema compiled for validation: children by key, formats and patterns ready to match, and flags for the subtrees
 * that need a check. Created by `compileSchema`; immutable.
 */
export interface CompiledSchema {
  readonly schema: StructuralSchema;
  /** The types a value may have: empty for any type, two for an integer or string. */
  readonly types: readonly string[];
  /** The checked format. `""` without a format, and for a format that does not apply to these types. */
  readonly format: string;
  readonly formatTest: FormatTest | undefined;
  readonly pattern: Pattern | undefined;

  readonly properties: ReadonlyMap<string, CompiledSchema>;
  /** The schema of `additionalProperties`, if it is a schema. */
  readonly values: CompiledSchema | undefined;
  /** True if `additionalProperties` is set, so keys other than `properties` may exist. */
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

  /** True if this schema or one below it is a list of type `set` or `map`. */
  readonly hasUniqueLists: boolean;
  /** True if this schema or one below it is an embedded resource. */
  readonly hasEmbeddedResources: boolean;
}

/** A regular expression that matches in time linear in the length of the text. */
export interface Pattern {
  readonly source: string;
  matches(text: string): boolean;
}
