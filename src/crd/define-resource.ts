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

/** A custom kind, to be used like a built-in one. */
export interface Resource<Spec, Status> extends Kind<CustomObject<Spec, Status>> {
  /**
   * Prunes, defaults and validates as an API server does when the object is created.
   *
   * @throws {InvalidObjectError} with the server's words
   */
  parse(value: unknown): CustomObject<Spec, Status>;
  /** A new one each time. */
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
 * What Kubernetes alone knows is said in its own words, where the library has a place for them:
 * `z.array(port).meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] })`.
 *
 * @throws {DefinitionError} with each field that no API server could serve as declared
 */
export function defineResource<const S extends Schema, const U extends Schema = Schema<undefined>>(
  definition: ResourceDefinition<S, U>,
): Resource<OutputOf<S>, OutputOf<U>> {
  const { group, version, kind, plural = pluralOf(kind), scope = "Namespaced" } = definition;
  const misnamed = nameProblems({ ...definition, plural });
  const schema = resourceSchema(`${kind} of ${group}/${version}`, definition, misnamed);
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
      // The schema's library infers the type from what the structural schema was made of.
      return parseObject(value, name, compiled) as CustomObject<OutputOf<S>, OutputOf<U>>;
    },
    toCustomResourceDefinition: () => definitionOf({ ...definition, plural, scope }, schema),
  };
}
