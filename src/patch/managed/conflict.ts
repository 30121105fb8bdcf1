import type { StatusCause } from "../../api/index.ts";
import { compareBytes } from "../../schema/index.ts";
import { type FieldPath, printPath } from "../values/field-element.ts";
import type { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managers.ts";

/** A field that an apply would change, and the manager that owns it. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: FieldPath;
}

/** Returns the given fields that other managers own, grouped by manager. */
export function conflictsWith(managers: Managers, fields: FieldSet): Conflict[] {
  const sorted = [...managers.entries()].sort(([one], [other]) => compareBytes(one, other));
  return sorted.flatMap(([, manager]) =>
    Array.from(manager.fields.intersection(fields).paths(), (path) => ({ manager, path })),
  );
}

/** Returns the message of the 409. */
export function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first)
    return `Apply failed with 1 conflict: conflict with ${printed(first.manager)}: ${printPath(first.path)}`;
  const lines = conflicts.flatMap(({ manager, path }, index) => [
    ...(conflicts[index - 1]?.manager === manager ? [] : [`conflicts with ${printed(manager)}:`]),
    `- ${printPath(path)}`,
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

/** Returns the `details.causes` of the 409. */
export function conflictCauses(conflicts: readonly Conflict[]): StatusCause[] {
  return conflicts.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${printed(manager)}`,
    field: printPath(path),
  }));
}

function printed({ name, operation, apiVersion, subresource }: Manager): string {
  const through = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === "Update" ? ` using ${apiVersion}` : "";
  return `${JSON.stringify(name)}${through}${using}`;
}
