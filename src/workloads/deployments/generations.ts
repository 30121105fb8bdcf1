import { controlledBy, type Frozen, type New } from "../../api/index.ts";
import type { Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";
import { canonicalJson, templateHash } from "../owning/template-hash.ts";
import { copiedAnnotations, newestRevision, revisionAnnotation, sizeAnnotations } from "./annotations.ts";
import { boundsOf } from "./bounds.ts";
import { type Generations, olderFirst } from "./rollout-plan.ts";

type DeploymentView = Frozen<Deployment>;
type ReplicaSetView = Frozen<ReplicaSet>;

/** The label that distinguishes the Pods of the ReplicaSets of a Deployment. */
const hashLabel = "pod-template-hash";

/** Returns which ReplicaSet has the Deployment's template (the oldest, if several do), and the others, oldest first. */
export function generationsOf(deployment: DeploymentView, sets: readonly ReplicaSetView[]): Generations {
  const byAge = sets.toSorted(olderFirst);
  const newest = byAge.find((set) => hasTemplateOf(deployment, set));
  return { newest, old: byAge.filter((set) => set !== newest) };
}

/** Returns true if the ReplicaSet makes the Pods that the Deployment describes. */
export function hasTemplateOf({ spec }: DeploymentView, set: ReplicaSetView): boolean {
  return canonicalJson(withoutHash(spec.template)) === canonicalJson(withoutHash(set.spec.template));
}

function withoutHash(template: ReplicaSetView["spec"]["template"] | undefined): unknown {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

/** Returns a ReplicaSet with the Deployment's template, as the next revision. */
export function newReplicaSet(
  deployment: DeploymentView,
  old: readonly ReplicaSetView[],
  replicas: number,
): New<ReplicaSet> {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const label = { [hashLabel]: hash };
  const template = structuredClone(spec.template) as ReplicaSet["spec"]["template"]; // a clone may be changed
  const bounds = boundsOf(deployment);
  return {
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace,
      labels: { ...spec.template.metadata?.labels, ...label },
      annotations: {
        ...copiedAnnotations(deployment),
        ...sizeAnnotations(bounds.replicas, bounds.replicas + bounds.surge),
        [revisionAnnotation]: String(newestRevision(old) + 1),
      },
      ownerReferences: [controlledBy(deployment)],
    },
    spec: {
      replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: {
        matchLabels: { ...spec.selector.matchLabels, ...label },
        matchExpressions: structuredClone(
          spec.selector.matchExpressions,
        ) as ReplicaSet["spec"]["selector"]["matchExpressions"],
      },
      template: {
        ...template,
        metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...label } },
      },
    },
  };
}
