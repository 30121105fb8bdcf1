import { test } from "vitest";
import { CronJob, Job } from "../api/types/batch/v1.ts";
import { ConfigMap, Pod } from "../api/types/core/v1.ts";
import { child, controller, index, owns, watches } from "./index.ts";

const reconcile = async (): Promise<void> => {};
const finalizer = "example.dev/maps";

test("cleanup and finalizer come together", () => {
  controller({ name: "maps", for: ConfigMap, reconcile });
  controller({ name: "maps", for: ConfigMap, reconcile, finalizer, cleanup: async ({ data }) => void data });
  // @ts-expect-error: property 'finalizer' is missing
  () => controller({ name: "maps", for: ConfigMap, reconcile, cleanup: reconcile });
  // @ts-expect-error: property 'cleanup' is missing
  () => controller({ name: "maps", for: ConfigMap, reconcile, finalizer });
  // @ts-expect-error: property 'cleanup' is missing
  () => controller({ name: "maps", for: ConfigMap, reconcile, formerFinalizers: [finalizer] });
});

test("functions that take an object accept what the cache returns, and assignments to it do not compile", () => {
  const isFinished = ({ status }: Job): boolean =>
    (status?.conditions ?? []).some(({ type }) => type === "Complete");
  () =>
    controller({
      name: "cronjobs",
      for: CronJob,
      on: [owns(Job)],
      reconcile: async (key, { cache, events }) => {
        const cron = cache.of(CronJob).view(key);
        if (!cron) return;
        const jobs: Job[] = cache.owned(Job, cron);
        const [done] = jobs.filter(isFinished);
        if (done) events.normal(cron, "Finished", { note: "a job has finished", related: done });
        for (const job of cache.owned(Job, cron)) {
          events.warning(job, "Slow", "the job takes long");
          // @ts-expect-error: cannot assign to 'name' because it is a read-only property
          job.metadata.name = "other";
        }
      },
    });
});

test("an index has the type of its objects and values", () => {
  const byPhase = index(Pod, ({ status }) => (status?.phase === "Running" ? ["running"] : ["pending"]));
  const byClaim = index(Pod, ({ metadata: { namespace } }) => [{ namespace, name: "claim" }]);
  () =>
    controller({
      name: "pods",
      for: Pod,
      indexes: [byPhase, byClaim],
      on: [watches(ConfigMap, (map, { cache }) => cache.by(byClaim, map.metadata))],
      reconcile: async (_, { cache }) => {
        const pods: Pod[] = cache.by(byPhase, "running");
        cache.by(byClaim, "default/claim");
        // @ts-expect-error: the index has no such value
        cache.by(byPhase, "runing");
        // @ts-expect-error: Pods are no ConfigMaps
        const maps: ConfigMap[] = cache.by(byPhase, "running");
        // @ts-expect-error: an index is a value, and has no name
        cache.by("phase", "running");
        // @ts-expect-error: indexes are read with cache.by
        cache.of(Pod).by("phase", "running");
        void [pods, maps];
      },
    });
  // @ts-expect-error: an index has strings or keys
  index(Pod, () => [1]);
});

test("a predicate of until has the type of the awaited object", () => {
  () =>
    controller({
      name: "jobs",
      for: ConfigMap,
      on: [owns(Job)],
      reconcile: async (key, { until }) => {
        // @ts-expect-error: the object may not exist
        until(Job, key, (job) => job.status?.succeeded === 1, { timeoutMs: 1000 });
        // @ts-expect-error: a wait has a timeout
        until(Job, key, (job) => job?.status?.succeeded === 1, {});
        return until(Job, key, (job) => job?.status?.succeeded === 1, { timeoutMs: 1000 });
      },
    });
});

test("a child infers its draft, and a set has the types of its objects", () => {
  () =>
    controller({
      name: "pods",
      for: Pod,
      on: [owns(ConfigMap), owns(Job)],
      reconcile: async (key, { client, applyOwned }) => {
        const owner = await client.get(Pod, key);
        if (!owner) return;
        const set = [child(ConfigMap, { metadata: { name: "a" }, data: { a: "b" } })] as const;
        const { applied, pruned } = await applyOwned(owner, [
          ...set,
          child(Job, { metadata: { name: "b" }, spec: { suspend: true } }),
        ]);
        const [map, job]: readonly [ConfigMap, Job] = applied;
        const deleted = pruned.map(({ kind, namespace, name, uid }) => [kind.plural, namespace, name, uid]);
        // @ts-expect-error: a dry run applies nothing
        (await applyOwned(owner, set, { dryRun: true })).applied;
        // @ts-expect-error: Jobs have no data
        child(Job, { metadata: { name: "a" }, data: {} });
        // @ts-expect-error: a child has a name
        child(ConfigMap, { metadata: { generateName: "a-" } });
        void [map, job, deleted];
      },
    });
});
