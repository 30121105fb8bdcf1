import type { Controller } from "../controller/index.ts";

/**
 * Throws if two controllers share a field manager, because an apply of one would delete the fields of the other, or
 * share a finalizer of one kind, because the clean-up of one would remove it before the other has run.
 */
export function checkIdentities(one: Controller, other: Controller): void {
  const both = `for both ${JSON.stringify(one.name)} and ${JSON.stringify(other.name)}`;
  if (one.fieldManager === other.fieldManager) {
    throw new TypeError(
      `expected a different field manager for each controller, got ${JSON.stringify(one.fieldManager)} ${both}; ` +
        "set `fieldManager` of one of them",
    );
  }
  const { finalizer } = one.options;
  if (finalizer !== undefined && finalizer === other.options.finalizer && haveSameKind(one, other)) {
    throw new TypeError(
      `expected each controller of ${one.options.for.kind} to have its own finalizer, got ${JSON.stringify(finalizer)} ${both}`,
    );
  }
}

function haveSameKind(
  { options: { for: one } }: Controller,
  { options: { for: other } }: Controller,
): boolean {
  return one.group === other.group && one.kind === other.kind;
}
