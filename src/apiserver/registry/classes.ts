import type { RuntimeClass } from "../../api/types/node/v1.ts";
import type { PriorityClass } from "../../api/types/scheduling/v1.ts";
import { type FieldError, forbidden, notSupported } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { defaultClass } from "./pod-priority.ts";
import { immutableErrors, requiredNameErrors } from "./value-errors.ts";

/** PriorityClass and RuntimeClass. */
export const classes: readonly KindEntry[] = [
  kindEntry<PriorityClass>("scheduling.k8s.io/PriorityClass", {
    /** The generation is set to 1 and never changes. */
    generation: () => false,
    default(priority) {
      priority.preemptionPolicy ??= "PreemptLowerPriority";
    },
    admit({ globalDefault }, context) {
      const currentDefault = globalDefault ? defaultClass(context)?.metadata.name : undefined;
      if (currentDefault === undefined) return undefined;
      return `PriorityClass ${currentDefault} is already marked as default. Only one default can exist`;
    },
    validate: priorityErrors,
    validateUpdate: ({ value, preemptionPolicy }, before) => [
      ...(value === before.value ? [] : [forbidden("value", "may not be changed in an update.")]),
      ...(preemptionPolicy === before.preemptionPolicy
        ? []
        : immutableErrors("preemptionPolicy", preemptionPolicy)),
    ],
  }),
  kindEntry<RuntimeClass>("node.k8s.io/RuntimeClass", {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate: ({ handler }) => requiredNameErrors("dns-label", handler, "handler"),
    validateUpdate: ({ handler }, before) =>
      handler === before.handler ? [] : immutableErrors("handler", handler),
  }),
];

/** Higher priorities are reserved for system classes. */
const maxUserPriority = 1_000_000_000;

const preemptionPolicies = ["PreemptLowerPriority", "Never"];

function priorityErrors({ metadata: { name }, value = 0, preemptionPolicy }: PriorityClass): FieldError[] {
  const reserved = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
  return [
    ...(name.startsWith("system-") && !systemClasses.has(name) ? [forbidden("metadata.name", reserved)] : []),
    ...(!name.startsWith("system-") && value > maxUserPriority
      ? [forbidden("value", `maximum allowed value of a user defined priority is ${maxUserPriority}`)]
      : []),
    ...(preemptionPolicies.includes(preemptionPolicy ?? "")
      ? []
      : [notSupported("preemptionPolicy", preemptionPolicy, preemptionPolicies)]),
  ];
}

const systemClasses: ReadonlySet<string> = new Set(["system-node-critical", "system-cluster-critical"]);
