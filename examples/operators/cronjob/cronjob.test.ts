import { Job } from "trimtab/api/batch/v1";
import { Event } from "trimtab/api/events/v1";
import { type Cluster, startCluster, VirtualClock } from "trimtab/testing";
import { expect, test } from "vitest";
import { CronJob, cronJobs } from "./cronjob.ts";

const minuteMs = 60_000;
const container = { name: "backup", image: "backup:1" };
const jobTemplate = {
  spec: { template: { spec: { restartPolicy: "Never" as const, containers: [container] } } },
};

/** Returns a cluster at 00:00 with the controller and a CronJob that starts a Job every minute. */
async function running(spec: Partial<CronJob["spec"]> = {}): Promise<Cluster> {
  const cluster = await startCluster({ kinds: [CronJob], clock: new VirtualClock() });
  await cluster.run({ controllers: [cronJobs] });
  const everyMinute = { schedule: "* * * * *", jobTemplate, ...spec };
  await cluster.client.create(CronJob, { metadata: { name: "backup" }, spec: everyMinute });
  return cluster;
}

/** Returns the times of the Jobs, and the status. */
async function state({ client }: Cluster): Promise<unknown> {
  const names = (await client.list(Job)).map(({ metadata }) => metadata.name);
  const { active = [], lastScheduleTime } = (await client.get(CronJob, "backup"))?.status ?? {};
  return { jobs: names.map(timeIn), active: active.map(timeIn), last: lastScheduleTime?.slice(11, 16) };
}

function timeIn(name: string): string {
  return new Date(Number(name.replace("backup-", "")) * 1000).toISOString().slice(11, 16);
}

/** Ends the oldest active Job. */
async function end({ client }: Cluster, type: "Complete" | "Failed"): Promise<void> {
  const name = (await client.get(CronJob, "backup"))?.status?.active[0] ?? "";
  const status = { conditions: [{ type, status: "True" }] };
  await client.patch(Job, name, { merge: { status } }, { subresource: "status" });
}

test("a Job starts at each time of the schedule", async () => {
  await using cluster = await running();
  await cluster.advance(minuteMs - 1);
  expect(await state(cluster)).toEqual({ jobs: [], active: [], last: undefined });
  await cluster.advance(1);
  expect(await state(cluster)).toEqual({ jobs: ["00:01"], active: ["00:01"], last: "00:01" });
  await end(cluster, "Complete");
  await cluster.advance(minuteMs);
  expect(await state(cluster)).toEqual({ jobs: ["00:01", "00:02"], active: ["00:02"], last: "00:02" });
});

test.each([
  ["Allow", { jobs: ["00:01", "00:02"], active: ["00:01", "00:02"], last: "00:02" }],
  ["Forbid", { jobs: ["00:01"], active: ["00:01"], last: "00:01" }],
  ["Replace", { jobs: ["00:02"], active: ["00:02"], last: "00:02" }],
] as const)("a Job that is due while another one is active: %s", async (concurrencyPolicy, expected) => {
  await using cluster = await running({ concurrencyPolicy });
  await cluster.advance(2 * minuteMs);
  expect(await state(cluster)).toEqual(expected);
});

test("a Job that was forbidden starts when the active one ends, within the starting deadline", async () => {
  await using cluster = await running({ concurrencyPolicy: "Forbid", startingDeadlineSeconds: 30 });
  for (const [afterMs, last] of [
    [30_000, "00:02"],
    [31_000, "00:02"],
  ] as const) {
    await cluster.advance(2 * minuteMs - (cluster.clock.now() % minuteMs) + afterMs);
    await end(cluster, "Complete");
    await cluster.advance(0);
    expect(await state(cluster)).toMatchObject({ last });
  }
});

test("of the times that were missed while suspended, the last one starts", async () => {
  await using cluster = await running({ suspend: true });
  await cluster.advance(3 * minuteMs);
  expect(await state(cluster)).toEqual({ jobs: [], active: [], last: undefined });
  await cluster.client.patch(CronJob, "backup", { merge: { spec: { suspend: false } } });
  await cluster.advance(0);
  expect(await state(cluster)).toEqual({ jobs: ["00:03"], active: ["00:03"], last: "00:03" });
});

test("the oldest ended Jobs are deleted, as the history limits say", async () => {
  await using cluster = await running({ successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 0 });
  for (const type of ["Complete", "Failed", "Complete", "Complete"] as const) {
    await cluster.advance(minuteMs);
    await end(cluster, type);
  }
  await cluster.advance(0);
  expect(await state(cluster)).toEqual({ jobs: ["00:03", "00:04"], active: [], last: "00:04" });
});

test("an invalid schedule is reported once, and not retried", async () => {
  await using cluster = await running({ schedule: "every minute" });
  await cluster.advance(60 * minuteMs);
  const events = (await cluster.client.list(Event)).map(({ reason, note, series }) => [reason, note, series]);
  expect(events).toEqual([["InvalidSchedule", expect.stringContaining("spec.schedule"), undefined]]);
});
