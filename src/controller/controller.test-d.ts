import { test } from "vitest";
import { CronJob, Job } from "../api/types/batch/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { controller, owns } from "./index.ts";

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
