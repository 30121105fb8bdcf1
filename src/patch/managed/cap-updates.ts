import { compareBytes } from "../../schema/index.ts";
import { FieldSet } from "./field-set.ts";
import { identityOf, type Manager, type Managers } from "./managers.ts";

/** Maximum number of update managers of an object. */
const maxUpdates = 10;

/**
 * Limits the number of update managers: merges the oldest ones into `ancient-changes`, separately for each API version.
 * A version with a single such manager stays unchanged.
 */
export function capUpdates(managers: Managers): Managers {
  const updates = [...managers.values()].filter(({ operation }) => operation === "Update");
  if (updates.length <= maxUpdates) return managers;
  const capping: Capping = { managers: new Map(managers), mergedFields: new Map() };
  const oldest = new Map<string, Manager>();
  let excess = updates.length - maxUpdates;
  for (const manager of updates.sort(compareAge)) {
    if (excess === 0) break;
    const older = oldest.get(manager.apiVersion);
    if (older) mergeManagers(capping, older, manager);
    else oldest.set(manager.apiVersion, manager);
    if (older) excess--;
  }
  return withMergedFields(capping);
}

interface Capping {
  readonly managers: Map<string, Manager>;
  /** The fields of merged managers by identity. They are united once, at the end. */
  readonly mergedFields: Map<string, FieldSet[]>;
}

function withMergedFields({ managers, mergedFields }: Capping): Managers {
  for (const [identity, fields] of mergedFields) {
    const manager = managers.get(identity);
    if (manager) managers.set(identity, { ...manager, fields: FieldSet.unionOf(fields) });
  }
  return managers;
}

/** Compares by age, oldest first. */
function compareAge(one: Manager, other: Manager): number {
  return compareBytes(one.time ?? "", other.time ?? "") || compareBytes(identityOf(one), identityOf(other));
}

/**
 * Merges the newer manager into `ancient-changes` of its version, or creates it from both managers. The result has
 * the newer time.
 *
 * If a manager without a time is the oldest, `ancient-changes` itself may be the newer one. kube-apiserver then loses
 * it, and so does this function.
 */
function mergeManagers({ managers, mergedFields }: Capping, older: Manager, newer: Manager): void {
  const { apiVersion, time } = newer;
  const name = { name: "ancient-changes", operation: "Update", apiVersion, subresource: "", time } as const;
  const identity = identityOf(name);
  const known = managers.get(identity);
  if (!known) managers.delete(identityOf(older));
  const fields = (known && mergedFields.get(identity)) ?? [(known ?? older).fields];
  fields.push(newer.fields);
  mergedFields.set(identity, fields);
  managers.set(identity, { ...name, fields: newer.fields });
  managers.delete(identityOf(newer));
}
