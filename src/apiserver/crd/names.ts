import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from "../../api/types/apiextensions/v1.ts";
import { goQuoted } from "../../schema/index.ts";
import type { ConditionState } from "./conditions.ts";

type Names = CustomResourceDefinitionNames;

export interface Naming {
  /** Those of the wanted names that are its own now. */
  readonly accepted: Names;
  readonly condition: ConditionState;
}

/**
 * Which of its names a definition gets. Within a group each belongs to who had it first: plural, singular and short
 * names are of one kind, kinds and list kinds of another. Of several conflicts the last is told.
 */
export function nameDefinition(
  { spec, status }: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): Naming {
  const taken = takenBy(others.filter((other) => other.spec.group === spec.group));
  const old: Names = status?.acceptedNames ?? { plural: "", kind: "" };
  const wanted = spec.names;
  const accepted: Names = { ...old };
  const conflicts: Array<[reason: string, message: string]> = [];
  for (const [field, reason, used] of [
    ["plural", "PluralConflict", taken.resources],
    ["singular", "SingularConflict", taken.resources],
    ["shortNames", "ShortNamesConflict", taken.resources],
    ["kind", "KindConflict", taken.kinds],
    ["listKind", "ListKindConflict", taken.kinds],
  ] as const) {
    const clashes = newNames(wanted[field], old[field]).filter((name) => used.has(name));
    if (clashes.length === 0) Object.assign(accepted, { [field]: wanted[field] });
    else conflicts.push([reason, conflictText(clashes)]);
  }
  accepted.categories = wanted.categories;
  return { accepted: compact(accepted), condition: conditionOf(conflicts.at(-1)) };
}

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenBy(definitions: readonly CustomResourceDefinition[]): Taken {
  const names = definitions.map(({ status }) => status?.acceptedNames).filter((one) => one !== undefined);
  return {
    resources: new Set(
      names.flatMap(({ plural, singular = "", shortNames }) => [plural, singular, ...(shortNames ?? [])]),
    ),
    kinds: new Set(names.flatMap(({ kind, listKind = "" }) => [kind, listKind])),
  };
}

function newNames(wanted: string | string[] | undefined, old: string | string[] | undefined): string[] {
  const had = new Set([old ?? []].flat());
  return [wanted ?? []].flat().filter((name) => !had.has(name));
}

/** Go puts several errors in brackets. */
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

/** As it is written: plural and kind always, the rest where there is something. */
function compact({ plural, singular, shortNames, kind, listKind, categories }: Names): Names {
  return {
    plural,
    ...(singular && { singular }),
    ...(shortNames && shortNames.length > 0 && { shortNames }),
    kind,
    ...(listKind && { listKind }),
    ...(categories && categories.length > 0 && { categories }),
  };
}
