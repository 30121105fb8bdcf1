import type { PodSpec } from "../../api/types/core/v1.ts";
import type { PriorityClass } from "../../api/types/scheduling/v1.ts";
import type { WriteContext } from "../resource.ts";

/**
 * Gives a Pod the priority of its class, which is the default where it names none. Why that is forbidden: there is no such
 * class, or the Pod says another.
 */
export function admitPriority(spec: PodSpec, context: Classes): string | undefined {
  spec.priorityClassName ||= defaultClass(context)?.metadata.name;
  const { priorityClassName: name, priority, preemptionPolicy } = spec;
  const found = name ? classNamed(name, context) : noClass;
  if (!found) return `no PriorityClass with name ${name} was found`;
  const { value, preemptionPolicy: policy = "PreemptLowerPriority" } = found;
  const computed = "priority admission controller computed";
  const from = "from the given PriorityClass name";
  if (priority !== undefined && priority !== value) {
    return `the integer value of priority (${priority}) must not be provided in pod spec; ${computed} ${value} ${from}`;
  }
  if (preemptionPolicy !== undefined && preemptionPolicy !== policy) {
    return `the string value of PreemptionPolicy (${preemptionPolicy}) must not be provided in pod spec; ${computed} ${policy} ${from}`;
  }
  spec.priority = value;
  spec.preemptionPolicy = policy;
  return undefined;
}

/** The class of those who choose none. Of several, which only a race can make, the lowest. */
export function defaultClass({ storedUnder }: Pick<Classes, "storedUnder">): PriorityClass | undefined {
  // Nothing but priority classes is stored there.
  const classes = storedUnder("priorityclasses/") as readonly PriorityClass[];
  return classes
    .filter(({ globalDefault }) => globalDefault)
    .sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
}

type Classes = Pick<WriteContext, "stored" | "storedUnder">;

type Priority = Pick<PriorityClass, "value" | "preemptionPolicy">;

const noClass: Priority = { value: 0 };

/** Two classes are always there. */
const systemClasses: ReadonlyMap<string, Priority> = new Map([
  ["system-node-critical", { value: 2_000_001_000 }],
  ["system-cluster-critical", { value: 2_000_000_000 }],
]);

function classNamed(name: string, { stored }: Classes): Priority | undefined {
  // Nothing but priority classes is stored there.
  return (stored(`priorityclasses/${name}`) as PriorityClass | undefined) ?? systemClasses.get(name);
}
