import { controller, owns } from "trimtab";
import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";

/** Labels every ReplicaSet with `hello: world`, and restores the label on every change of it or its Pods. */
export const greetings = controller({
  name: "greetings",
  for: ReplicaSet,
  on: [owns(Pod)],
  async reconcile(key, { client, log }) {
    const set = await client.get(ReplicaSet, key);
    if (!set) return log.info("ReplicaSet is deleted");
    if (set.metadata.labels?.hello === "world") return;
    await client.patch(ReplicaSet, key, { merge: { metadata: { labels: { hello: "world" } } } });
    log.info("ReplicaSet labelled", {
      containers: set.spec.template?.spec?.containers.map(({ name }) => name),
    });
  },
});
