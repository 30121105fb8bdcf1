import type { Kind, KubeObject } from "../api/index.ts";
import { type CompiledSchema, compileSchema } from "../schema/index.ts";
import type { DeclaredKind, DeclaredVersion, Definition } from "./definition.ts";
import { parseObject } from "./parse-object.ts";

/** An object of a custom kind. */
export interface CustomObject<Spec, Status> extends KubeObject {
  spec: Spec;
  status?: Status | undefined;
}

/** A custom kind, which can be used like a built-in one. */
export interface Resource<T extends KubeObject = KubeObject> extends Kind<T> {
  /**
   * Prunes, defaults and validates an object like an API server does on create, except for validation rules.
   *
   * @throws {InvalidObjectError} with the server's message
   */
  parse(value: unknown): T;
  /** Returns a new CustomResourceDefinition on every call. */
  toCustomResourceDefinition(): Definition;
}

/** Returns the kind of a declared version. */
export function resourceOf<T extends KubeObject>(
  { group, kind, plural, scope }: DeclaredKind,
  { name: version, schema }: DeclaredVersion,
  toCustomResourceDefinition: () => Definition,
): Resource<T> {
  const name = {
    group,
    version,
    kind,
    plural,
    namespaced: scope === "Namespaced",
    definedHere: true,
  } as const;
  let compiled: CompiledSchema | undefined;
  return {
    ...name,
    parse(value) {
      compiled ??= compileSchema(schema);
      // The schema library infers the type from the same schema as the structural schema.
      return parseObject(value, name, compiled) as T;
    },
    toCustomResourceDefinition,
  };
}
