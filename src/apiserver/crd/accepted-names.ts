import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from "../../api/types/apiextensions/v1.ts";
import { goQuoted } from "../../schema/index.ts";
import type { ConditionState } from "./conditions.ts";

type Names = CustomResourceDefinitionNames;

export interface NameResult {
  /** The names of the definition that are accepted so far. */
  readonly accepted: Names;
  readonly condition: ConditionState;
}

/**
 * Returns the names that a definition gets. Within a group, each name belongs to the first definition that uses it.
 * Plurals, singulars and short names share one set of names, kinds and list kinds another. If several names conflict,
 * the condition reports the last conflict.
 */
export function acceptNames(
  { spec, status }: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): NameResult {
  const inUse = usedNames(others.filter((other) => other.spec.group === spec.group));
  const oldNames: Names = status?.acceptedNames ?? { plural: "", kind: "" };
  const requested = spec.names;
  const accepted: Names = { ...oldNames };
  const conflicts: Array<[reason: string, message: string]> = [];
  for (const [field, reason, namesInUse] of [
    ["plural", "PluralConflict", inUse.resources],
    ["singular", "SingularConflict", inUse.resources],
    ["shortNames", "ShortNamesConflict", inUse.resources],
    ["kind", "KindConflict", inUse.kinds],
    ["listKind", "ListKindConflict", inUse.kinds],
  ] as const) {
    const conflicting = newNames(requested[field], oldNames[field]).filter((name) => namesInUse.has(name));
    if (conflicting.length === 0) Object.assign(accepted, { [field]: requested[field] });
    else conflicts.push([reason, conflictText(conflicting)]);
  }
  accepted.categories = requested.categories;
  return { accepted: withoutEmpty(accepted), condition: conditionOf(conflicts.at(-1)) };
}

interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function usedNames(definitions: readonly CustomResourceDefinition[]): UsedNames {
  const names = definitions.map(({ status }) => status?.acceptedNames).filter((one) => one !== undefined);
  return {
    resources: new Set(
      names.flatMap(({ plural, singular = "", shortNames }) => [plural, singular, ...(shortNames ?? [])]),
    ),
    kinds: new Set(names.flatMap(({ kind, listKind = "" }) => [kind, listKind])),
  };
}

function newNames(
  requested: string | string[] | undefined,
  oldNames: string | string[] | undefined,
): string[] {
  const oldSet = new Set([oldNames ?? []].flat());
  return [requested ?? []].flat().filter((name) => !oldSet.has(name));
}

/** Joins messages as Go does: several errors stand in brackets. */
function conflictText(names: readonly string[]): string {
  const texts = names.map((name) => `${goQuoted(name)} is already in use`);
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

function conditionOf(conflict: readonly [string, string] | undefined): ConditionState {
  const type = "NamesAccepted";
  if (!conflict) return { type, status: "True", reason: "NoConflicts", message: "no conflicts found" };
  const [reason, message] = conflict;
  return { type, status: "False", reason, message };
}

/** Returns the names as they are serialized: plural and kind always, the others only if they are set. */
function withoutEmpty({ plural, singular, shortNames, kind, listKind, categories }: Names): Names {
  return {
    plural,
    ...(singular && { singular }),
    ...(shortNames && shortNames.length > 0 && { shortNames }),
    kind,
    ...(listKind && { listKind }),
    ...(categories && categories.length > 0 && { categories }),
  };
}
