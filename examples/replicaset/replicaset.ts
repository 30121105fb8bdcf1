import { controller, owns } from "trimtab";
import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";

/** As many Pods as the ReplicaSet asks for: makes the missing, deletes the surplus. */
export const replicaSets = controller({
  name: "example-replicaset",
  for: ReplicaSet,
  on: [owns(Pod)],
  async reconcile(key, { client, cache, log }) {
    const set = await client.get(ReplicaSet, key);
    if (!set || set.metadata.deletionTimestamp) return;
    const wanted = set.spec.replicas ?? 1;
    const pods = cache.owned(Pod, set).filter((pod) => pod.metadata.deletionTimestamp === undefined);

    for (let missing = wanted - pods.length; missing > 0; missing--) {
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
    for (const surplus of pods.slice(wanted)) {
      await client.delete(Pod, surplus.metadata, { uid: surplus.metadata.uid });
    }

    const readyReplicas = pods.filter((pod) => pod.status?.phase === "Running").length;
    await client.applyStatus(ReplicaSet, set, { replicas: pods.length, readyReplicas });
    log.info("replica set reconciled", { wanted, had: pods.length });
  },
});
