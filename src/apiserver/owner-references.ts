import type { ObjectMeta } from "../api/index.ts";
import { equal } from "../schema/index.ts";
import type { Warnings } from "./warnings.ts";

/** Drops owner references that are there twice, with a warning. */
export function dedupeOwners(metadata: ObjectMeta, warnings: Warnings): void {
  const owners = metadata.ownerReferences ?? [];
  const single = owners.filter((owner, at) => owners.findIndex((other) => equal(owner, other)) === at);
  if (single.length === owners.length) return;
  const repeated = owners.filter((owner, at) => owners.findIndex((other) => equal(owner, other)) !== at);
  metadata.ownerReferences = single;
  warnings.add(
    ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject " +
      `such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...new Set(repeated.map(({ uid }) => uid))].join(", ")}`,
  );
}
