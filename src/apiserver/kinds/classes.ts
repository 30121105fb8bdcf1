import type { RuntimeClass } from "../../api/types/node/v1.ts";
import type { PriorityClass } from "../../api/types/scheduling/v1.ts";
import type { StorageClass } from "../../api/types/storage/v1.ts";
import { equal } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

/** The classes that an administrator offers for Pods and volumes to choose from. */
export const classes: readonly KindEntry[] = [
  entry<PriorityClass>("scheduling.k8s.io/PriorityClass", {
    generation: ({ metadata: _, ...content }, { metadata: __, ...before }) => !equal(content, before),
    default(priority) {
      priority.preemptionPolicy ??= "PreemptLowerPriority";
    },
  }),
  entry<StorageClass>("storage.k8s.io/StorageClass", {
    returnsDeleted: true,
    default(storage) {
      storage.reclaimPolicy ??= "Delete";
      storage.volumeBindingMode ??= "Immediate";
    },
  }),
  entry<RuntimeClass>("node.k8s.io/RuntimeClass", { createOnUpdate: true, unconditionalUpdate: false }),
];
