/**
 * Compares Deployments and ReplicaSets with those of the real kube-controller-manager: both run the same stories on a real
 * kube-apiserver, with simulated nodes. Skipped until `npm run kube` has built the programs.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";
import { Event, Namespace, Pod } from "../../api/types/core/v1.ts";
import type { Client } from "../../client/index.ts";
import { type Cluster, kubeCacheFolder, startCluster } from "../../testing/index.ts";

const program = join(kubeCacheFolder(process.env), "kube-controller-manager");
const waiting = { "node.trimtab.dev/waiting-reason": "ImagePullBackOff" };
const labels = { app: "web" };

interface Story {
  readonly name: string;
  readonly spec?: Partial<Deployment["spec"]>;
  readonly steps?: readonly Step[];
  readonly end: (status: NonNullable<Deployment["status"]>) => boolean;
}

/** A change that follows when the former one has had its effect. */
interface Step {
  readonly when: (status: NonNullable<Deployment["status"]>) => boolean;
  readonly spec: object;
}

const image = (name: string): object => ({
  template: { spec: { containers: [{ name: "web", image: name }] } },
});
const progressing = (reason: string) => (status: NonNullable<Deployment["status"]>) =>
  status.conditions?.find(({ type }) => type === "Progressing")?.reason === reason;
const complete = (replicas: number, generation: number) => (status: NonNullable<Deployment["status"]>) =>
  status.observedGeneration === generation &&
  progressing("NewReplicaSetAvailable")(status) &&
  (status.replicas ?? 0) === replicas &&
  (status.availableReplicas ?? 0) === replicas &&
  (status.updatedReplicas ?? 0) === replicas;

const stories: readonly Story[] = [
  { name: "create", end: complete(3, 1) },
  { name: "no-replicas", spec: { replicas: 0 }, end: complete(0, 1) },
  { name: "rollout", steps: [{ when: complete(3, 1), spec: image("nginx:2") }], end: complete(3, 2) },
  {
    name: "rollback",
    steps: [
      { when: complete(3, 1), spec: image("nginx:2") },
      { when: complete(3, 2), spec: image("nginx:1") },
    ],
    end: complete(3, 3),
  },
  {
    name: "scale",
    steps: [
      { when: complete(3, 1), spec: { replicas: 5 } },
      { when: complete(5, 2), spec: { replicas: 1 } },
    ],
    end: complete(1, 3),
  },
  {
    name: "pause",
    steps: [
      { when: complete(3, 1), spec: { paused: true, ...image("nginx:2") } },
      { when: progressing("DeploymentPaused"), spec: { replicas: 4 } },
      {
        when: ({ observedGeneration, availableReplicas }) =>
          observedGeneration === 3 && availableReplicas === 4,
        spec: { paused: false },
      },
    ],
    end: complete(4, 4),
  },
  {
    name: "recreate",
    spec: { strategy: { type: "Recreate" } },
    steps: [{ when: complete(3, 1), spec: image("nginx:2") }],
    end: complete(3, 2),
  },
  {
    name: "deadline",
    spec: { progressDeadlineSeconds: 2 },
    steps: [{ when: complete(3, 1), spec: { template: { metadata: { annotations: waiting } } } }],
    end: progressing("ProgressDeadlineExceeded"),
  },
  {
    name: "refused",
    spec: {
      progressDeadlineSeconds: 2,
      template: {
        metadata: { labels },
        spec: { priorityClassName: "missing", containers: [{ name: "web", image: "nginx:1" }] },
      },
    },
    end: progressing("ProgressDeadlineExceeded"),
  },
  {
    name: "no-history",
    spec: { revisionHistoryLimit: 0 },
    steps: [{ when: complete(3, 1), spec: image("nginx:2") }],
    end: complete(3, 2),
  },
  { name: "min-ready", spec: { minReadySeconds: 1 }, end: complete(3, 1) },
];

describe.skipIf(!existsSync(program))("Deployments, compared with kube-controller-manager", () => {
  let ours: Cluster;
  let theirs: Cluster;
  let manager: ChildProcess;
  beforeAll(async () => {
    theirs = await startCluster({ engine: "binaries", workloads: ["scheduler", "nodes"] });
    ours = await startCluster({
      engine: "binaries",
      workloads: ["deployments", "replicasets", "scheduler", "nodes"],
    });
    const controllers = "deployment-controller,replicaset-controller";
    const flags = { kubeconfig: theirs.kubeconfig, controllers, "leader-elect": "false", "secure-port": "0" };
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    manager = spawn(program, args, { stdio: "ignore" });
  }, 120_000);
  afterAll(async () => {
    manager?.kill("SIGKILL");
    if (manager?.exitCode === null && manager.signalCode === null) await once(manager, "exit");
    await Promise.all([ours?.close(), theirs?.close()]);
  }, 60_000);

  test.concurrent.each(stories)("$name", { timeout: 120_000 }, async (story) => {
    await Promise.all([play(ours, story), play(theirs, story)]);
    await ours.eventually(
      async () => expect(await outcome(ours.client, story)).toEqual(await outcome(theirs.client, story)),
      { withinMs: 10_000 },
    );
  });
});

async function play(cluster: Cluster, { name, spec, steps = [], end }: Story): Promise<void> {
  const { client } = cluster;
  await client.create(Namespace, { metadata: { name } });
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1" }] } };
  await client.create(Deployment, {
    metadata: { name: "web", namespace: name, annotations: { team: "shop" } },
    spec: { replicas: 3, selector: { matchLabels: labels }, template, ...spec },
  });
  const key = { namespace: name, name: "web" };
  const until = (reached: Step["when"]): Promise<void> =>
    cluster.eventually(
      async () => {
        const { status = {} } = (await client.get(Deployment, key)) ?? {};
        if (!reached(status)) throw new Error(`the status is not reached: ${JSON.stringify(status)}`);
      },
      { withinMs: 60_000 },
    );
  for (const { when, spec } of steps) {
    await until(when);
    await client.patch(Deployment, key, { strategic: { spec } });
  }
  await until(end);
}

/** Returns the state that the story ends in, without times, generated names and uids. */
async function outcome(client: Client, { name: namespace }: Story): Promise<unknown> {
  const deployment = await client.get(Deployment, { namespace, name: "web" });
  const sets = (await client.list(ReplicaSet, { namespace })).toSorted((a, b) => revision(a) - revision(b));
  const masked = mask(new Map(sets.map((set) => [set.metadata.name, `set-${revision(set)}`])));
  const events = (await client.list(Event, { namespace }))
    .filter(({ involvedObject: { kind } }) => kind === "Deployment" || kind === "ReplicaSet")
    .filter(({ message }) => !message?.startsWith("(combined from similar events)")) // shows the latest event only
    .map(
      ({ type, reason, message, reportingComponent }) =>
        `${reportingComponent} ${type} ${reason}: ${masked(message ?? "").replace(/ from \d+ to \d+$/, "")}`,
    ); // one step of a rollout may be larger than another, because it depends on when Pods become ready
  const pods = await client.list(Pod, { namespace });
  return {
    annotations: deployment?.metadata.annotations,
    status: JSON.parse(masked(withoutTimes(deployment?.status))),
    sets: sets.map(({ metadata, spec: { replicas, minReadySeconds }, status }) => {
      const { annotations, finalizers } = metadata;
      const observedGeneration = "masked"; // it counts the writes of a rollout, which can be fewer
      const counts = JSON.parse(masked(withoutTimes({ ...status, observedGeneration })));
      return { annotations, finalizers, replicas, minReadySeconds, status: counts };
    }),
    pods: pods
      .map(({ metadata: { annotations, finalizers }, spec }) =>
        JSON.stringify({ annotations, finalizers, image: spec.containers[0]?.image }),
      )
      .toSorted(),
    events: [...new Set(events)].toSorted(),
  };
}

function revision({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"]);
}

function withoutTimes(value: unknown): string {
  return JSON.stringify(value ?? {}, (key, part: unknown) => (key.endsWith("Time") ? undefined : part));
}

function mask(names: ReadonlyMap<string, string>): (text: string) => string {
  return (text) => {
    let masked = text;
    for (const [name, label] of names)
      masked = masked.replaceAll(new RegExp(`${name}-[a-z0-9]{5}`, "g"), "<pod>").replaceAll(name, label);
    return masked
      .replaceAll(/web-[a-z0-9]{8,10}/g, "<removed set>")
      .replaceAll(/<removed set>-[a-z0-9]{5}/g, "<pod>");
  };
}
