import { declaredKind, declaredVersion } from "./declared.ts";
import { definitionOf } from "./definition.ts";
import { DefinitionError } from "./definition-error.ts";
import { nameProblems } from "./name-problems.ts";
import { type Resource, resourceOf } from "./resource.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import type { OutputOf, Schema } from "./schema.ts";

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
 * @throws {DefinitionError} with every field that an API server could not serve as declared
 */
export function defineResource<const S extends Schema, const U extends Schema = Schema<undefined>>(
  definition: ResourceDefinition<S, U>,
): Resource<OutputOf<S>, OutputOf<U>> {
  const declared = declaredKind(definition);
  const { group, kind, version: name } = definition;
  const problems = nameProblems(declared, [{ field: "version", name }]);
  const version = declaredVersion({ name, served: true, storage: true, options: definition }, problems);
  if (problems.length > 0) throw new DefinitionError(`${kind} of ${group}/${name}`, problems);
  return resourceOf(declared, version, () => definitionOf(declared, [version]));
}
