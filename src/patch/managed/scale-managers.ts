import type { ManagedFieldsEntry } from "../../api/index.ts";
import { type FieldPath, fieldElement } from "../values/field-element.ts";
import { FieldSet } from "./field-set.ts";
import { identityOf, type Manager, type Managers, parseManagers, printManagers } from "./managers.ts";

/** The mapping between the replicas of an object and those of its `Scale`. */
export interface ScaleMapping {
  /** The API version of the object: `apps/v1`. */
  readonly apiVersion: string;
  /**
   * The path of the replicas by API version of the object. A version without replicas has `undefined`. Entries of a
   * version that is not in the map are dropped.
   */
  readonly replicas: ReadonlyMap<string, FieldPath | undefined>;
}

const scaleVersion = "autoscaling/v1";
const replicasInScale: FieldPath = [fieldElement("spec"), fieldElement("replicas")];
const ownsReplicas: FieldSet = FieldSet.of(replicasInScale);

/** Returns the `managedFields` of an object's `Scale`: the managers of the object's replicas. */
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
 * Returns the `managedFields` of an object after a write of its `Scale`: exactly the managers of the replicas of the
 * `Scale` own those of the object. Entries from the `Scale` have no time.
 *
 * An update manager has another identity in the API version of a `Scale`, so it gets a second entry, as in
 * kube-apiserver.
 */
export function fromScaleManagers(
  { parent, scale }: { readonly parent: unknown; readonly scale: unknown },
  mapping: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const written = parseManagers(scale);
  const before = [...parseManagers(parent).values()].filter(({ apiVersion }) =>
    mapping.replicas.has(apiVersion),
  );
  const unchanged = before.filter(
    (manager) => owns(manager, mapping.replicas) && written.has(identityOf(manager)),
  );
  const added = withoutSame(written, unchanged).filter(({ fields }) => fields.has(replicasInScale));
  return printManagers([
    ...unchanged,
    ...before
      .filter((manager) => !unchanged.includes(manager))
      .flatMap((manager) => withoutReplicas(manager, mapping)),
    ...added.map((manager) => toParentManager(manager, mapping)),
  ]);
}

function withoutSame(managers: Managers, excluded: readonly Manager[]): Manager[] {
  const identities = new Set(excluded.map(identityOf));
  return [...managers].filter(([identity]) => !identities.has(identity)).map(([, manager]) => manager);
}

/** Returns the manager without the replicas, or nothing if it owned only them. */
function withoutReplicas(manager: Manager, { replicas }: ScaleMapping): Manager[] {
  const path = replicas.get(manager.apiVersion);
  const fields = path ? manager.fields.difference(FieldSet.of(path)) : manager.fields;
  return fields.isEmpty ? [] : [{ ...manager, fields }];
}

function toParentManager(
  { name, operation, subresource }: Manager,
  { apiVersion, replicas }: ScaleMapping,
): Manager {
  const path = replicas.get(apiVersion);
  return { name, operation, subresource, apiVersion, fields: path ? FieldSet.of(path) : FieldSet.empty };
}
