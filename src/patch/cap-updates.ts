import { FieldSet } from "./field-set.ts";
import { compareText } from "./go-json.ts";
import { identityOf, type Manager, type Managers } from "./managers.ts";

/** How many managers by update an object may have. */
const mostUpdates = 10;

/**
 * The managers, with the oldest by update put together as `ancient-changes` where there are too many, each version of
 * the object for itself. A version that only one of them wrote stays as it is.
 */
export function capUpdates(managers: Managers): Managers {
  const updates = [...managers.values()].filter(({ operation }) => operation === "Update");
  if (updates.length <= mostUpdates) return managers;
  const capping: Capping = { managers: new Map(managers), together: new Map() };
  const oldest = new Map<string, Manager>();
  let excess = updates.length - mostUpdates;
  for (const manager of updates.sort(compareAge)) {
    if (excess === 0) break;
    const older = oldest.get(manager.apiVersion);
    if (older) putTogether(capping, older, manager);
    else oldest.set(manager.apiVersion, manager);
    if (older) excess--;
  }
  return finished(capping);
}

interface Capping {
  readonly managers: Map<string, Manager>;
  /** The fields of managers that are put together, by identity. They are united once, in the end. */
  readonly together: Map<string, FieldSet[]>;
}

function finished({ managers, together }: Capping): Managers {
  for (const [identity, fields] of together) {
    const manager = managers.get(identity);
    if (manager) managers.set(identity, { ...manager, fields: FieldSet.unionOf(fields) });
  }
  return managers;
}

/** Oldest first. */
function compareAge(one: Manager, other: Manager): number {
  return compareText(one.time ?? "", other.time ?? "") || compareText(identityOf(one), identityOf(other));
}

/**
 * Puts the newer into what is put together already, or where there is none, both into one. It gets the newer time.
 *
 * What is put together already may itself be the newer, where a manager without a time is older: then the real server
 * loses it, and so does this.
 */
function putTogether({ managers, together }: Capping, older: Manager, newer: Manager): void {
  const { apiVersion, time } = newer;
  const name = { name: "ancient-changes", operation: "Update", apiVersion, subresource: "", time } as const;
  const identity = identityOf(name);
  const known = managers.get(identity);
  if (!known) managers.delete(identityOf(older));
  const fields = (known && together.get(identity)) ?? [(known ?? older).fields];
  fields.push(newer.fields);
  together.set(identity, fields);
  managers.set(identity, { ...name, fields: newer.fields });
  managers.delete(identityOf(newer));
}
