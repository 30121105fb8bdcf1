import { Cron } from "croner";
import { type Context, controller, owns, TerminalError } from "trimtab";
import { isTrue, type ObjectOf } from "trimtab/api";
import { Job } from "trimtab/api/batch/v1";
import { defineResource } from "trimtab/crd";
import { builtIn } from "trimtab/zod";
import { z } from "zod";

const texts = z.record(z.string(), z.string()).optional();
const jobMetadata = z.object({ labels: texts, annotations: texts });

/** Starts Jobs on a schedule in UTC, like the CronJob of kubebuilder's book. */
export const CronJob = defineResource({
  group: "batch.tutorial.kubebuilder.io",
  version: "v1",
  kind: "CronJob",
  spec: z.object({
    schedule: z.string().min(1),
    /** A Job that could not start for this long is skipped. */
    startingDeadlineSeconds: z.int32().min(0).optional(),
    concurrencyPolicy: z.enum(["Allow", "Forbid", "Replace"]).default("Allow"),
    suspend: z.boolean().default(false),
    successfulJobsHistoryLimit: z.int32().min(0).default(3),
    failedJobsHistoryLimit: z.int32().min(0).default(1),
    jobTemplate: z.object({ metadata: jobMetadata.optional(), spec: builtIn("JobSpec") }),
  }),
  status: z.object({ active: z.array(z.string()), lastScheduleTime: z.iso.datetime().optional() }),
  columns: [
    { name: "Schedule", path: ".spec.schedule", type: "string" },
    { name: "Last schedule", path: ".status.lastScheduleTime", type: "date" },
  ],
});
export type CronJob = ObjectOf<typeof CronJob>;

const background = { propagation: "Background" } as const; // a Job is deleted with its Pods
const scheduledAt = "batch.tutorial.kubebuilder.io/scheduled-at";

export const cronJobs = controller({
  for: CronJob,
  on: [owns(Job)],
  async reconcile(key, context) {
    const { client, cache, now } = context;
    const cronJob = await client.get(CronJob, key);
    if (!cronJob) return undefined;
    const { suspend, successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec;
    const schedule = scheduleOf(cronJob, context);
    if (!suspend) await startDueJob(cronJob, schedule, context);

    const jobs = cache.owned(Job, cronJob); // includes the Job that was just created
    await deleteOldest(jobs.filter(isComplete), successfulJobsHistoryLimit, context);
    await deleteOldest(jobs.filter(isFailed), failedJobsHistoryLimit, context);
    const active = jobs.filter(isActive).map(({ metadata }) => metadata.name);
    await client.applyStatus(CronJob, cronJob, { active, lastScheduleTime: lastScheduleTime(cronJob, jobs) });

    const next = suspend ? null : schedule.nextRun(new Date(now()));
    return next ? { requeueAfterMs: next.getTime() - now() } : undefined;
  },
});

function scheduleOf(cronJob: CronJob, { events }: Context): Cron {
  try {
    return new Cron(cronJob.spec.schedule, { timezone: "UTC", mode: "5-part" });
  } catch (cause) {
    events.warning(cronJob, "InvalidSchedule", `invalid spec.schedule: ${String(cause)}`);
    throw new TerminalError("invalid spec.schedule", { cause });
  }
}

/** Starts the Job of the last time in the schedule, unless it has started, is too late, or may not run now. */
async function startDueJob(cronJob: CronJob, schedule: Cron, { client, cache, now }: Context): Promise<void> {
  const { startingDeadlineSeconds = Infinity, concurrencyPolicy, jobTemplate } = cronJob.spec;
  const jobs = cache.owned(Job, cronJob);
  const [due] = schedule.previousRuns(1, new Date(now() + 1000)); // the current second too
  const last = lastScheduleTime(cronJob, jobs) ?? cronJob.metadata.creationTimestamp;
  if (!due || due <= new Date(last) || now() - due.getTime() > startingDeadlineSeconds * 1000) return;

  const active = jobs.filter(isActive);
  if (concurrencyPolicy === "Forbid" && active.length > 0) return; // the end of the active Job will be an event
  if (concurrencyPolicy === "Replace") for (const job of active) await client.delete(Job, job, background);
  const { name, namespace } = cronJob.metadata;
  const metadata = {
    ...jobTemplate.metadata,
    name: `${name}-${due.getTime() / 1000}`,
    namespace,
    annotations: { ...jobTemplate.metadata?.annotations, [scheduledAt]: due.toISOString() },
  };
  await client.create(Job, { metadata, spec: jobTemplate.spec }, { owner: cronJob });
}

/** Returns the last time of a Job. The Jobs know it even if the status could not be written. */
function lastScheduleTime({ status }: CronJob, jobs: readonly Job[]): string | undefined {
  const times = [
    status?.lastScheduleTime,
    ...jobs.map(({ metadata }) => metadata.annotations?.[scheduledAt]),
  ];
  return times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
}

async function deleteOldest(jobs: readonly Job[], limit: number, { client }: Context): Promise<void> {
  const oldestFirst = jobs.toSorted((a, b) => startOf(a) - startOf(b));
  for (const job of oldestFirst.slice(0, Math.max(0, jobs.length - limit)))
    await client.delete(Job, job, background);
}

const startOf = ({ metadata }: Job): number => Date.parse(metadata.creationTimestamp);
const isComplete = ({ status }: Job): boolean => isTrue(status?.conditions, "Complete");
const isFailed = ({ status }: Job): boolean => isTrue(status?.conditions, "Failed");
const isActive = (job: Job): boolean => !isComplete(job) && !isFailed(job);
