import { type FieldError, invalid } from "../../schema/index.ts";
import { countErrors } from "./value-errors.ts";

/** The counts in the status of ReplicaSets and Deployments. Each kind has most of them. */
type Counts = Partial<Record<Count, number | undefined>>;

interface HasCounts {
  readonly status?: Counts | undefined;
}

/**
 * Returns a validation of the counts in a status: none is greater than the number of replicas. `own` is a count that
 * not all kinds have.
 */
export function replicaStatusErrors(
  own: "updatedReplicas" | "fullyLabeledReplicas",
): (object: HasCounts, before: HasCounts) => FieldError[] {
  return ({ status = {} }, { status: before = {} }) => [
    ...counts.flatMap((field) => countErrors(status[field], `status.${field}`)),
    ...boundErrors(status, own, "replicas"),
    ...bounds.flatMap(([smaller, larger]) => boundErrors(status, smaller, larger)),
    ...collisionErrors(status, before),
  ];
}

const counts = [
  "observedGeneration",
  "replicas",
  "updatedReplicas",
  "fullyLabeledReplicas",
  "readyReplicas",
  "availableReplicas",
  "unavailableReplicas",
  "collisionCount",
] as const;

type Count = (typeof counts)[number];

const bounds: ReadonlyArray<readonly [Count, Count]> = [
  ["readyReplicas", "replicas"],
  ["availableReplicas", "replicas"],
  ["availableReplicas", "readyReplicas"],
];

function boundErrors(status: Counts, smaller: Count, larger: Count): FieldError[] {
  const value = status[smaller] ?? 0;
  if (value <= (status[larger] ?? 0)) return [];
  return [invalid(`status.${smaller}`, value, `cannot be greater than ${boundName(larger)}`)];
}

function boundName(count: Count): string {
  return count === "replicas" ? "status.replicas" : count;
}

function collisionErrors({ collisionCount }: Counts, before: Counts): FieldError[] {
  if (before.collisionCount === undefined || (collisionCount ?? 0) >= before.collisionCount) return [];
  return [invalid("status.collisionCount", collisionCount ?? 0, "cannot be decremented")];
}
