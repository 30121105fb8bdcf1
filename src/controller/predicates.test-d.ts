// Compiled, never run: the types are the test. A `@ts-expect-error` fails if the line compiles.
import type { KubeObject } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { Pod } from "../api/types/core/v1.ts";
import type { ObjectEvent } from "../cache/index.ts";
import {
  and,
  controller,
  generationChanged,
  labelsChanged,
  not,
  or,
  owns,
  type Predicate,
  watches,
} from "./index.ts";

const isPaused = (event: ObjectEvent<Deployment>): boolean => event.object.spec.paused === true;

// Predicates have the object type of the kind that they select events of, however they are combined.
owns(Deployment, { when: (event) => event.object.spec.paused === true });
owns(Deployment, { when: or(generationChanged, (event) => event.object.spec.paused === true) });
owns(Deployment, { when: and((event) => event.object.spec.paused === true, labelsChanged) });
owns(Deployment, { when: not((event) => event.object.spec.paused === true) });
owns(Deployment, { when: or(isPaused, generationChanged, (event) => event.object.spec.paused === true) });
owns(Deployment, {
  when: and(generationChanged, not(or(labelsChanged, (event) => event.object.spec.paused === true))),
});
watches(Pod, () => [], { when: or(generationChanged, (event) => event.object.status?.phase === "Failed") });
controller({
  name: "a",
  for: Deployment,
  when: or(generationChanged, (event) => event.object.spec.paused === true),
  reconcile: async () => {},
});
// @ts-expect-error a Deployment has no phase
owns(Deployment, { when: or(generationChanged, (event) => event.object.status?.phase === "Failed") });
// @ts-expect-error a predicate of another kind
owns(Pod, { when: or(generationChanged, isPaused) });

// Without a kind, the type comes from the predicates.
export const any: Predicate<KubeObject> = or(generationChanged, not(labelsChanged));
const paused = and(generationChanged, isPaused);
owns(Deployment, { when: paused });
// @ts-expect-error a predicate of another kind
owns(Pod, { when: paused });
owns(Pod, { when: or(generationChanged, labelsChanged) });
