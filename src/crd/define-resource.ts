import type { Kind, KubeObject } from "../api/index.ts";
import { type CompiledSchema, compileSchema } from "../schema/index.ts";
import { type Definition, definitionOf, type ResourceDefinition } from "./definition.ts";
import { nameProblems } from "./name-problems.ts";
import { parseObject } from "./parse-object.ts";
import { pluralOf } from "./plural-of.ts";
import { resourceSchema } from "./resource-schema.ts";
import type { OutputOf, Schema } from "./schema.ts";

/** An object of a custom kind. */
export interface CustomObject<Spec, Status> extends KubeObject {
  spec: Spec;
  status?: Status | undefined;
}

/** A custom kind, which can be used like a built-in one. */
export interface Resource<Spec, Status> extends Kind<CustomObject<Spec, Status>> {
  /**
   * Prunes, defaults and validates an object like an API server does on create.
   *
   * @throws {InvalidObjectError} with the server's message
   */
  parse(value: unknown): CustomObject<Spec, Status>;
  /** Returns a new CustomResourceDefinition on every call. */
  toCustomResourceDefinition(): Definition;
}

/**
 * Declares a custom kind by the schemas of its spec and status.
 *
 * ```ts
 * const Website = defineResource({
 *   group: "example.dev",
 *   version: "v1",
 *   kind: "Website",
 *   spec: z.object({ image: z.string(), replicas: z.int().min(0).default(1) }),
 * });
 * type Website = ObjectOf<typeof Website>;
 * ```
 *
 * Set Kubernetes extensions as metadata of the schema:
 * `z.array(port).meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] })`.
 *
 * @throws {DefinitionError} with every field that an API server could not serve as declared
 */
export function defineResource<const S extends Schema, const U extends Schema = Schema<undefined>>(
  definition: ResourceDefinition<S, U>,
): Resource<OutputOf<S>, OutputOf<U>> {
  const { group, version, kind, plural = pluralOf(kind), scope = "Namespaced" } = definition;
  const problems = nameProblems({ ...definition, plural });
  const schema = resourceSchema(`${kind} of ${group}/${version}`, definition, problems);
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
      return parseObject(value, name, compiled) as CustomObject<OutputOf<S>, OutputOf<U>>;
    },
    toCustomResourceDefinition: () => definitionOf({ ...definition, plural, scope }, schema),
  };
}
