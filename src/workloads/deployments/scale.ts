import type { Frozen } from "../../api/index.ts";
import { type Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";
import type { Context } from "../../controller/index.ts";
import { sizeAnnotations } from "./annotations.ts";
import { boundsOf } from "./bounds.ts";
import { type Scaling, sizeOf } from "./rollout-plan.ts";

/** Sets the size of a ReplicaSet, and records for what size of the Deployment. Does nothing if both are right already. */
export async function scale(
  deployment: Frozen<Deployment>,
  { set, replicas }: Scaling,
  { client, events }: Context,
): Promise<Frozen<ReplicaSet>> {
  const bounds = boundsOf(deployment);
  const annotations = sizeAnnotations(bounds.replicas, bounds.replicas + bounds.surge);
  const size = sizeOf(set);
  if (size === replicas && isRecorded(set, annotations)) return set;
  const { uid, name } = set.metadata;
  const merge = { metadata: { uid, annotations }, spec: { replicas } };
  const scaled = await client.patch(ReplicaSet, set.metadata, { merge });
  if (size !== replicas) {
    const direction = size < replicas ? "up" : "down";
    events.normal(
      deployment,
      "ScalingReplicaSet",
      `Scaled ${direction} replica set ${name} from ${size} to ${replicas}`,
    );
  }
  return scaled;
}

function isRecorded(
  { metadata }: Frozen<ReplicaSet>,
  annotations: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(annotations).every(([name, value]) => metadata.annotations?.[name] === value);
}
