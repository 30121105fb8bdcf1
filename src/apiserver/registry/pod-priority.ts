import type { PodSpec } from "../../api/types/core/v1.ts";
import type { PriorityClass } from "../../api/types/scheduling/v1.ts";
import type { WriteContext } from "../types/resource.ts";

/**
 * Sets the priority of a Pod from its priority class, or from the default class. Returns why the Pod is forbidden if
 * the class does not exist or the Pod requests another priority.
 */
export function admitPriority(spec: PodSpec, context: Classes): string | undefined {
  spec.priorityClassName ||= defaultClass(context)?.metadata.name;
  const { priorityClassName: name, priority, preemptionPolicy } = spec;
  const priorityClass = name ? findClass(name, context) : noPriority;
  if (!priorityClass) return `no PriorityClass with name ${name} was found`;
  const { value, preemptionPolicy: policy = "PreemptLowerPriority" } = priorityClass;
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

/** Returns the default class. If a race creates several, the one with the lowest value applies. */
export function defaultClass({ storedUnder }: Pick<Classes, "storedUnder">): PriorityClass | undefined {
  // Only priority classes are stored under this prefix.
  const classes = storedUnder("priorityclasses/") as readonly PriorityClass[];
  return classes
    .filter(({ globalDefault }) => globalDefault)
    .sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
}

type Classes = Pick<WriteContext, "stored" | "storedUnder">;

type Priority = Pick<PriorityClass, "value" | "preemptionPolicy">;

const noPriority: Priority = { value: 0 };

/** The priority classes that always exist. */
const systemClasses: ReadonlyMap<string, Priority> = new Map([
  ["system-node-critical", { value: 2_000_001_000 }],
  ["system-cluster-critical", { value: 2_000_000_000 }],
]);

function findClass(name: string, { stored }: Classes): Priority | undefined {
  // Only priority classes are stored under this prefix.
  return (stored(`priorityclasses/${name}`) as PriorityClass | undefined) ?? systemClasses.get(name);
}
