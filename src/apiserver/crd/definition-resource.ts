import type { KubeObject } from "../../api/index.ts";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from "../../api/types/apiextensions/v1.ts";
import type { Codec, Resource, Strategy } from "../resource.ts";
import { withCondition } from "./conditions.ts";
import { definitionErrors, definitionNameErrors, definitionUpdateErrors } from "./definition-errors.ts";
import { definitionWarnings } from "./definition-warnings.ts";

/** Holds a definition until its instances are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** The resource of definitions themselves, with all that they do differently from other built-in kinds. */
export function definitionResource(builtin: Resource): Resource {
  return { ...builtin, codec: completing(builtin.codec), strategy: { ...builtin.strategy, ...strategy } };
}

/** Definitions get their defaults whenever they are decoded. */
function completing(codec: Codec): Codec {
  return {
    ...codec,
    decode(document) {
      const decoded = codec.decode(document);
      complete(definition(decoded.object));
      return decoded;
    },
    validate: (object, before) => [
      ...codec.validate(object, before),
      ...(before ? [] : definitionNameErrors(definition(object))),
    ],
  };
}

function complete({ spec }: CustomResourceDefinition): void {
  const { names } = spec;
  if (names.kind !== "") names.singular ||= names.kind.toLowerCase();
  if (names.kind !== "") names.listKind ||= `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  spec.conversion.strategy ||= "None";
}

const strategy: Strategy = {
  generation: "spec",
  prepareCreate(object) {
    const crd = definition(object);
    crd.status = statusToCome(storageVersions(crd));
  },
  prepareUpdate(object, before) {
    const crd = definition(object);
    const stored = definition(before).status?.storedVersions ?? [];
    const added = storageVersions(crd).filter((version) => !stored.includes(version));
    if (added.length > 0) crd.status = { ...crd.status, storedVersions: [...stored, ...added] };
  },
  deletion: { held: ({ metadata }) => !metadata.deletionTimestamp, mark: markDeleted },
  validate: (object) => definitionErrors(definition(object)),
  validateUpdate: (object, before) => definitionUpdateErrors(definition(object), definition(before)),
  warnings: (object) => definitionWarnings(definition(object)),
};

/** What Go writes of a status in which nothing was set. */
function statusToCome(stored: string[]): CustomResourceDefinitionStatus {
  const blank = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null };
  // Nulls stand for lists that Go has not made.
  return {
    ...blank,
    ...(stored.length > 0 && { storedVersions: stored }),
  } as unknown as CustomResourceDefinitionStatus;
}

/** The version that objects are stored in. A definition with several is refused later. */
function storageVersions({ spec }: CustomResourceDefinition): string[] {
  // A definition that is yet to be checked may have none.
  return (spec.versions ?? [])
    .filter(({ storage }) => storage)
    .slice(0, 1)
    .map(({ name }) => name);
}

/** Neither generation nor grace: the first deletion only begins that of the instances. */
function markDeleted(object: KubeObject, now: string): void {
  const crd = definition(object);
  crd.metadata.deletionTimestamp = now;
  crd.metadata.finalizers = [...new Set([...(crd.metadata.finalizers ?? []), cleanupFinalizer])];
  const pending = {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  crd.status = { ...crd.status, conditions: withCondition(crd.status?.conditions ?? [], pending, now) };
}

/** The engine decodes what it hands to a kind's strategy as that kind. */
function definition(object: KubeObject): CustomResourceDefinition {
  return object as CustomResourceDefinition;
}
