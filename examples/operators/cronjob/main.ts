// Runs the operator of CronJobs until Ctrl-C.
import { managed, type Part, perform } from "../../perform.ts";
import { until } from "../../until.ts";
import { CronJob, cronJobs } from "./cronjob.ts";

async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> create the CronJob backup, which starts a Job every minute");
  const container = { name: "backup", image: "busybox:1.37", args: ["date"] };
  const template = { spec: { restartPolicy: "Never" as const, containers: [container] } };
  const spec = { schedule: "* * * * *", jobTemplate: { spec: { template } } };
  await client.create(CronJob, { metadata: { name: "backup" }, spec });
  await until(guide, CronJob, { name: "backup", holds: ({ status }) => status !== undefined });
  say("  no Job is active until the next minute");
}

const kubectl = [
  "kubectl get cronjobs.batch.tutorial.kubebuilder.io,jobs --watch",
  `kubectl patch cronjobs.batch.tutorial.kubebuilder.io backup --type merge --patch '{"spec":{"suspend":true}}'`,
];
await perform({
  title: "An operator of CronJobs",
  kinds: [CronJob],
  run: managed([cronJobs]),
  tour,
  kubectl,
});
