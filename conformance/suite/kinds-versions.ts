import { raw } from "../raw.ts";
import { type Stage, scenario } from "../scenario.ts";

type Version = "v1" | "v2";

function path(namespace: string, version: Version, name = ""): string {
  return `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers${name && `/${name}`}`;
}

const scaleTargetRef = { kind: "Deployment", name: "a", apiVersion: "apps/v1" };

async function created({ client, namespace }: Stage, version: Version, spec: object): Promise<void> {
  const body = JSON.stringify({
    metadata: { name: "a" },
    spec: { maxReplicas: 3, scaleTargetRef, ...spec },
  });
  await raw(client, path(namespace, version), { method: "POST", body });
}

async function read({ client, namespace }: Stage, version: Version): Promise<Record<string, unknown>> {
  return (await raw(client, path(namespace, version, "a"))).body as Record<string, unknown>;
}

const cpu = (averageUtilization: number): object => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});

scenario("an autoscaler created in v1 can be read in v2", async (stage) => {
  await created(stage, "v1", { targetCPUUtilizationPercentage: 50 });
  const { spec, status } = await read(stage, "v2");
  stage.expect(spec).toEqual({ scaleTargetRef, minReplicas: 1, maxReplicas: 3, metrics: [cpu(50)] });
  stage.expect(status).toEqual({ desiredReplicas: 0, currentMetrics: null });
});

scenario("an autoscaler without metrics uses CPU, in both versions", async (stage) => {
  await created(stage, "v2", {});
  stage.expect((await read(stage, "v2")).spec).toMatchObject({ metrics: [cpu(80)] });
  stage.expect((await read(stage, "v1")).spec).toMatchObject({ targetCPUUtilizationPercentage: 80 });
});

scenario("v1 keeps v2 fields in annotations, and an update through v1 preserves them", async (stage) => {
  const memory = {
    type: "Resource",
    resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
  };
  await created(stage, "v2", { metrics: [cpu(60), memory] });
  const { metadata, spec } = await read(stage, "v1");
  stage.expect(metadata).toMatchObject({
    annotations: {
      "autoscaling.alpha.kubernetes.io/metrics":
        '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
    },
  });
  stage.expect(spec).toMatchObject({ targetCPUUtilizationPercentage: 60 });
  await raw(stage.client, path(stage.namespace, "v1", "a"), {
    method: "PATCH",
    type: "application/merge-patch+json",
    body: JSON.stringify({ spec: { targetCPUUtilizationPercentage: 70 } }),
  });
  stage.expect((await read(stage, "v2")).spec).toMatchObject({ metrics: [memory, cpu(70)] });
});
