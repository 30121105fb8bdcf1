import type { RuntimeClass } from "../../api/types/node/v1.ts";
import type { PriorityClass } from "../../api/types/scheduling/v1.ts";
import { type FieldError, forbidden, notSupported } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { defaultClass } from "./pod-priority.ts";
import { immutableErrors, neededName } from "./value-errors.ts";

/** The classes that an administrator offers for Pods and volumes to choose from. */
export const classes: readonly KindEntry[] = [
  entry<PriorityClass>("scheduling.k8s.io/PriorityClass", {
    /** It begins with one, and nothing of it is ever counted. */
    generation: () => false,
    default(priority) {
      priority.preemptionPolicy ??= "PreemptLowerPriority";
    },
    admit({ globalDefault }, context) {
      const other = globalDefault ? defaultClass(context)?.metadata.name : undefined;
      if (other === undefined) return undefined;
      return `PriorityClass ${other} is already marked as default. Only one default can exist`;
    },
    validate: priorityErrors,
    validateUpdate: ({ value, preemptionPolicy }, before) => [
      ...(value === before.value ? [] : [forbidden("value", "may not be changed in an update.")]),
      ...(preemptionPolicy === before.preemptionPolicy
        ? []
        : immutableErrors("preemptionPolicy", preemptionPolicy)),
    ],
  }),
  entry<RuntimeClass>("node.k8s.io/RuntimeClass", {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate: ({ handler }) => neededName("dns-label", handler, "handler"),
    validateUpdate: ({ handler }, before) =>
      handler === before.handler ? [] : immutableErrors("handler", handler),
  }),
];

/** Priorities from here on are for what the system itself runs. */
const mostForUsers = 1_000_000_000;

const preemptions = ["PreemptLowerPriority", "Never"];

function priorityErrors({ metadata: { name }, value = 0, preemptionPolicy }: PriorityClass): FieldError[] {
  const reserved = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
  return [
    ...(name.startsWith("system-") && !systemClasses.has(name) ? [forbidden("metadata.name", reserved)] : []),
    ...(!name.startsWith("system-") && value > mostForUsers
      ? [forbidden("value", `maximum allowed value of a user defined priority is ${mostForUsers}`)]
      : []),
    ...(preemptions.includes(preemptionPolicy ?? "")
      ? []
      : [notSupported("preemptionPolicy", preemptionPolicy, preemptions)]),
  ];
}

const systemClasses: ReadonlySet<string> = new Set(["system-node-critical", "system-cluster-critical"]);
