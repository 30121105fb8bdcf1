import { controller, owns } from "trimtab";
import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";

/** Labels every ReplicaSet with `hello: world`, and labels it again whatever happens to it or to its Pods. */
export const greetings = controller({
  name: "greetings",
  for: ReplicaSet,
  on: [owns(Pod)],
  async reconcile(key, { client, log }) {
    const set = await client.get(ReplicaSet, key);
    if (!set) return log.info("it is gone, and there is nobody to greet");
    if (set.metadata.labels?.hello === "world") return;
    await client.patch(ReplicaSet, key, { merge: { metadata: { labels: { hello: "world" } } } });
    log.info("said hello", { containers: set.spec.template?.spec?.containers.map(({ name }) => name) });
  },
});
