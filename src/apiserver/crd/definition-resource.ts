import type { KubeObject } from "../../api/index.ts";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from "../../api/types/apiextensions/v1.ts";
import type { Codec, Resource, Strategy } from "../types/resource.ts";
import { withStoredCondition } from "./conditions.ts";
import { definitionErrors, definitionNameErrors, definitionUpdateErrors } from "./definition-errors.ts";
import { definitionWarnings } from "./definition-warnings.ts";

/** Keeps a deleted definition until its instances are deleted. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Returns the resource of CustomResourceDefinitions, with their differences from other built-in resources. */
export function definitionResource(builtin: Resource): Resource {
  return {
    ...builtin,
    codec: definitionCodec(builtin.codec),
    strategy: { ...builtin.strategy, ...strategy },
  };
}

/** Returns a codec that sets the defaults of definitions on decode and validates the names of new ones. */
function definitionCodec(codec: Codec): Codec {
  return {
    ...codec,
    decode(document) {
      const decoded = codec.decode(document);
      setDefaults(asDefinition(decoded.object));
      return decoded;
    },
    validate: (object, before) => [
      ...codec.validate(object, before),
      ...(before ? [] : definitionNameErrors(asDefinition(object))),
    ],
  };
}

function setDefaults({ spec }: CustomResourceDefinition): void {
  const { names } = spec;
  if (names.kind !== "") names.singular ||= names.kind.toLowerCase();
  if (names.kind !== "") names.listKind ||= `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  spec.conversion.strategy ||= "None";
}

const strategy: Strategy = {
  generation: "spec",
  prepareCreate(object) {
    const crd = asDefinition(object);
    crd.status = initialStatus(storageVersions(crd));
  },
  prepareUpdate(object, before) {
    const crd = asDefinition(object);
    const stored = asDefinition(before).status?.storedVersions ?? [];
    const added = storageVersions(crd).filter((version) => !stored.includes(version));
    if (added.length > 0) crd.status = { ...crd.status, storedVersions: [...stored, ...added] };
  },
  deletion: { held: ({ metadata }) => !metadata.deletionTimestamp, mark: markDeleted },
  validate: (object) => definitionErrors(asDefinition(object)),
  validateUpdate: (object, before) => definitionUpdateErrors(asDefinition(object), asDefinition(before)),
  warnings: (object) => definitionWarnings(asDefinition(object)),
};

/** Returns the initial status, as Go writes one in which no field is set. */
function initialStatus(stored: string[]): CustomResourceDefinitionStatus {
  const blank = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null };
  // The nulls stand for nil slices.
  return {
    ...blank,
    ...(stored.length > 0 && { storedVersions: stored }),
  } as unknown as CustomResourceDefinitionStatus;
}

/** Returns the storage version. Validation rejects definitions with more than one later. */
function storageVersions({ spec }: CustomResourceDefinition): string[] {
  // The definition is not validated yet and may have no versions.
  return (spec.versions ?? [])
    .filter(({ storage }) => storage)
    .slice(0, 1)
    .map(({ name }) => name);
}

/**
 * Marks a definition as deleted, without a grace period and without a new generation. The deletion of the instances
 * follows.
 */
function markDeleted(object: KubeObject, now: string): void {
  const crd = asDefinition(object);
  crd.metadata.deletionTimestamp = now;
  crd.metadata.finalizers = [...new Set([...(crd.metadata.finalizers ?? []), cleanupFinalizer])];
  const pending = {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  crd.status = { ...crd.status, conditions: withStoredCondition(crd.status?.conditions ?? [], pending, now) };
}

/** The engine passes only definitions to the strategy of definitions. */
function asDefinition(object: KubeObject): CustomResourceDefinition {
  return object as CustomResourceDefinition;
}
