import { controller, owns } from "trimtab";
import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";

/** Keeps as many Pods as the ReplicaSet specifies: creates missing ones and deletes surplus ones. */
export const replicaSets = controller({
  name: "example-replicaset",
  for: ReplicaSet,
  on: [owns(Pod)],
  async reconcile(key, { client, cache, log }) {
    const set = await client.get(ReplicaSet, key);
    if (!set || set.metadata.deletionTimestamp) return;
    const desired = set.spec.replicas ?? 1;
    const pods = cache.owned(Pod, set).filter((pod) => pod.metadata.deletionTimestamp === undefined);

    for (let missing = desired - pods.length; missing > 0; missing--) {
      await client.create(
        Pod,
        {
          metadata: {
            ...set.spec.template?.metadata,
            generateName: `${set.metadata.name}-`,
            namespace: key.namespace,
          },
          spec: set.spec.template?.spec ?? { containers: [] },
        },
        { owner: set },
      );
    }
    for (const surplus of pods.slice(desired)) {
      await client.delete(Pod, surplus.metadata, { uid: surplus.metadata.uid });
    }

    const readyReplicas = pods.filter((pod) => pod.status?.phase === "Running").length;
    await client.applyStatus(ReplicaSet, set, { replicas: pods.length, readyReplicas });
    log.info("replica set reconciled", { desired, current: pods.length });
  },
});
