import type { Controller } from "../controller/index.ts";

/**
 * Throws if two controllers of a manager share a field manager, so that applies of one delete the fields of the other, or a
 * finalizer of one kind, so that the clean-up of one removes it before the other has run.
 */
export function checkIdentities(one: Controller, other: Controller): void {
  const both = `for both ${JSON.stringify(one.name)} and ${JSON.stringify(other.name)}`;
  if (one.fieldManager === other.fieldManager) {
    throw new TypeError(
      `expected each controller to have a field manager of its own, got ${JSON.stringify(one.fieldManager)} ${both}; ` +
        "set `fieldManager` of one of them",
    );
  }
  const { finalizer } = one.options;
  if (finalizer !== undefined && finalizer === other.options.finalizer && haveOneKind(one, other)) {
    throw new TypeError(
      `expected each controller of ${one.options.for.kind} to have a finalizer of its own, got ${JSON.stringify(finalizer)} ${both}`,
    );
  }
}

function haveOneKind(
  { options: { for: one } }: Controller,
  { options: { for: other } }: Controller,
): boolean {
  return one.group === other.group && one.kind === other.kind;
}
