import type { ObjectMeta } from "../../api/index.ts";
import { goJson } from "../../schema/index.ts";
import type { Warnings } from "../types/warnings.ts";
import { repeats } from "./repeats.ts";

/** Removes duplicate owner references, with a warning. `when` says in the warning when they were found. */
export function dedupeOwners(metadata: ObjectMeta, warnings: Warnings, when = ""): void {
  const owners = metadata.ownerReferences ?? [];
  const repeating = repeats(owners, goJson);
  if (!repeating.includes(true)) return;
  const repeated = owners.filter((_, at) => repeating[at]);
  metadata.ownerReferences = owners.filter((_, at) => !repeating[at]);
  warnings.add(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may ` +
      `reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...new Set(repeated.map(({ uid }) => uid))].join(", ")}`,
  );
}
