import type { ManagedFieldsEntry } from "../api/index.ts";
import { type FieldPath, fieldElement } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import { identityOf, type Manager, type Managers, parseManagers, printManagers } from "./managers.ts";

/** How the replicas of an object and those of its `Scale` are the same field. */
export interface ScaleMapping {
  /** The version in which the object itself is asked for: `apps/v1`. */
  readonly apiVersion: string;
  /**
   * Where replicas are, in each version of the object. A version without replicas has `undefined`; entries of
   * a version that is not here are dropped.
   */
  readonly replicas: ReadonlyMap<string, FieldPath | undefined>;
}

const scaleVersion = "autoscaling/v1";
const replicasInScale: FieldPath = [fieldElement("spec"), fieldElement("replicas")];
const ownsReplicas: FieldSet = FieldSet.of(replicasInScale);

/** The `managedFields` of an object's `Scale`: who owns the object's replicas. */
export function toScaleManagers(
  parent: unknown,
  { replicas }: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const owners = [...parseManagers(parent).values()].filter((manager) => owns(manager, replicas));
  return printManagers(owners.map((each) => ({ ...each, apiVersion: scaleVersion, fields: ownsReplicas })));
}

function owns({ apiVersion, fields }: Manager, replicas: ScaleMapping["replicas"]): boolean {
  const path = replicas.get(apiVersion);
  return path !== undefined && fields.has(path);
}

/**
 * The `managedFields` of an object once its `Scale` was written: who owns the replicas of the `Scale` owns those of the
 * object, and nobody else does. Entries that come from the `Scale` have no time.
 *
 * A manager by update is another one in the version of a `Scale`, so it comes back as an entry beside its own, as on
 * the real server.
 */
export function fromScaleManagers(
  { parent, scale }: { readonly parent: unknown; readonly scale: unknown },
  mapping: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const written = parseManagers(scale);
  const before = [...parseManagers(parent).values()].filter(({ apiVersion }) =>
    mapping.replicas.has(apiVersion),
  );
  const kept = before.filter(
    (manager) => owns(manager, mapping.replicas) && written.has(identityOf(manager)),
  );
  const added = withoutSame(written, kept).filter(({ fields }) => fields.has(replicasInScale));
  return printManagers([
    ...kept,
    ...before.filter((manager) => !kept.includes(manager)).flatMap((manager) => deprived(manager, mapping)),
    ...added.map((manager) => asParent(manager, mapping)),
  ]);
}

function withoutSame(managers: Managers, known: readonly Manager[]): Manager[] {
  const identities = new Set(known.map(identityOf));
  return [...managers].filter(([identity]) => !identities.has(identity)).map(([, manager]) => manager);
}

/** The manager without the replicas, or nothing if it owned no more. */
function deprived(manager: Manager, { replicas }: ScaleMapping): Manager[] {
  const path = replicas.get(manager.apiVersion);
  const fields = path ? manager.fields.difference(FieldSet.of(path)) : manager.fields;
  return fields.isEmpty ? [] : [{ ...manager, fields }];
}

function asParent(
  { name, operation, subresource }: Manager,
  { apiVersion, replicas }: ScaleMapping,
): Manager {
  const path = replicas.get(apiVersion);
  return { name, operation, subresource, apiVersion, fields: path ? FieldSet.of(path) : FieldSet.empty };
}
