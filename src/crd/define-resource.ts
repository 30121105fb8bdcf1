import type { Written } from "../api/index.ts";
import { declaredKind, declaredVersion } from "./declared.ts";
import { defineVersions, type GivenVersions } from "./define-versions.ts";
import { definitionOf } from "./definition.ts";
import { DefinitionError } from "./definition-error.ts";
import { nameProblems } from "./name-problems.ts";
import { type CustomObject, type Resource, resourceOf } from "./resource.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import type { InputOf, OutputOf, Schema } from "./schema.ts";
import type { VersionedDefinition, VersionedResource, Versions } from "./versioned-definition.ts";

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
 * Validation rules, list types and other Kubernetes extensions are metadata of a schema:
 * `z.array(port).meta(listMap("name"))`, `z.string().meta(immutable())`, `.meta(rule("self.min <= self.max"))`,
 * `.meta({ "x-kubernetes-preserve-unknown-fields": true })`.
 *
 * A kind with several versions declares each under `versions`. The result has a kind for each version:
 *
 * ```ts
 * const Websites = defineResource({
 *   group: "example.dev",
 *   kind: "Website",
 *   versions: {
 *     v1: { spec: z.object({ images: z.array(z.string()) }), storage: true },
 *     v1beta1: {
 *       spec: z.object({ image: z.string() }),
 *       deprecated: true,
 *       convert: {
 *         toStorage: ({ spec }) => ({ spec: { images: [spec.image] } }),
 *         fromStorage: ({ spec }) => ({ spec: { image: spec.images[0] ?? "" } }),
 *       },
 *     },
 *   },
 * });
 * type Website = ObjectOf<typeof Websites.v1>;
 * ```
 *
 * @throws {DefinitionError} with every field that an API server could not serve as declared
 */
export function defineResource<const S extends Schema, const U extends Schema = Schema<undefined, undefined>>(
  definition: ResourceDefinition<S, U>,
): Resource<CustomObject<OutputOf<S>, OutputOf<U>> & Written<InputOf<S>, InputOf<U>>>;
export function defineResource<const S extends Readonly<Record<string, Schema>>, const U, const T>(
  definition: VersionedDefinition<S, U, T>,
): Versions<S, U>;
export function defineResource(
  definition: ResourceDefinition<Schema, Schema> | GivenVersions,
): Resource | VersionedResource {
  return "versions" in definition ? defineVersions(definition) : defineVersion(definition);
}

function defineVersion(definition: ResourceDefinition<Schema, Schema>): Resource {
  const declared = declaredKind(definition);
  const { group, kind, version: name } = definition;
  const problems = nameProblems(declared, [{ field: "version", name }]);
  const version = declaredVersion({ name, served: true, storage: true, options: definition }, problems);
  if (problems.length > 0) throw new DefinitionError(`${kind} of ${group}/${name}`, problems);
  return resourceOf(declared, version, () => definitionOf(declared, [version]));
}
