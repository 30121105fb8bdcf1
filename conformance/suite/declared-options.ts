import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { defineResource } from "trimtab/crd";
import { z } from "zod";
import { declaredWithBuiltIns, declaredWithOptions, served } from "../declared-options.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

scenario("a kind declared with all options is served with them", async (stage) => {
  const { client, expect } = stage;
  await using kinds = await declaredWithOptions(stage);
  const { Site, definition } = kinds;
  expect(definition.metadata.labels).toEqual({ app: "sites" });
  expect(definition.spec.names.categories).toEqual(["sites-of-tests"]);
  const pod = {
    metadata: { labels: { app: "a" } },
    spec: {
      containers: [
        {
          name: "main",
          image: "nginx",
          ports: [{ containerPort: 80, protocol: "TCP" as const }],
          resources: { limits: { cpu: "1", memory: "1Gi" } },
          livenessProbe: { httpGet: { port: "web" } },
        },
      ],
    },
  };
  const spec = {
    domain: "example.dev",
    replicas: 2,
    range: { min: 1, max: 2 },
    rules: [{ name: "a", value: "b" }],
    memory: "500Mi",
    port: "http",
    timeout: "1h30m",
    template: pod,
    job: { spec: { template: pod } },
    open: { a: "b", c: "d" },
    mode: "fast" as const,
  };
  const made = await client.create(Site, { metadata: { name: "a" }, spec });
  expect(made.spec).toEqual(spec);
  expect(Site.parse(made)).toEqual(made);
  await client.create(Site, { metadata: { name: "b" }, spec: { domain: "b", replicas: 1, timeout: "1s" } });
  const selected = await client.list(Site, { fields: { "spec.domain": "example.dev" } });
  expect(selected.map(({ metadata }) => metadata.name)).toEqual(["a"]);
  const scale = await client.subresource(Site, "a", "scale").get();
  expect(scale?.spec).toEqual({ replicas: 2 });
  const at = "2030-01-02T03:04:05Z";
  const ready = {
    type: "Ready",
    status: "True",
    reason: "Started",
    message: "",
    lastTransitionTime: at,
  } as const;
  const status = { replicas: 2, selector: "app=a", conditions: [ready] };
  expect((await client.applyStatus(Site, made, status)).status).toEqual(status);
});

scenario("every built-in type is accepted inside of a custom kind", async (stage) => {
  await using kinds = await declaredWithBuiltIns(stage);
  stage.expect(kinds.definition.spec.names.kind).toBe("All");
});

scenario(
  "rules of a declared kind are evaluated at every level",
  async (stage) => {
    const { client, expect } = stage;
    await using kinds = await declaredWithOptions(stage);
    const { Site } = kinds;
    const spec = {
      domain: "a",
      replicas: 1,
      timeout: "1s",
      mode: "slow" as const,
      rules: [{ name: "a", value: "b" }],
    };
    const wrong = { metadata: { name: "forbidden" }, spec: { ...spec, range: { min: 3, max: 2 } } };
    const created = await refusal(client.create(Site, wrong));
    expect(created.message).toContain("is a reserved name");
    expect(created.message).toContain("spec.range.min: Invalid value: must not exceed max");
    await client.create(Site, { metadata: { name: "a" }, spec });
    const merge = { spec: { domain: "b", mode: "fast" as const, rules: [{ name: "a", value: "c" }] } };
    const { message } = await refusal(client.patch(Site, "a", { merge }));
    expect(message).toContain('spec.domain: Invalid value: "b": field is immutable');
    expect(message).toContain("spec.mode: Forbidden: slow stays slow");
    expect(message).toContain('spec.rules[0].value: Invalid value: "c": field is immutable');
  },
  { needs: "cel" },
);

scenario("a definition with a conversion webhook is accepted", async (stage) => {
  const { namespace, cluster, signal, expect } = stage;
  const Sites = defineResource({
    group: `${namespace}.example.dev`,
    kind: "Site",
    versions: {
      v1: { spec: z.object({ images: z.array(z.string()) }), status: z.object({}), storage: true },
      v1beta1: {
        spec: z.object({ image: z.string() }),
        deprecated: "use v1",
        served: false,
        convert: {
          toStorage: ({ spec }) => ({ spec: { images: [spec.image] } }),
          fromStorage: ({ spec }) => ({ spec: { image: spec.images[0] ?? "" } }),
        },
      },
    },
  });
  const service = { namespace: "default", name: "sites", path: "/convert" };
  const webhook = { service };
  const declared = { toCustomResourceDefinition: () => Sites.toCustomResourceDefinition({ webhook }) };
  await using kinds = await served(declared, cluster.client, signal);
  const stored = await cluster.client.get(CustomResourceDefinition, kinds.definition.metadata.name);
  expect(stored?.spec.conversion).toMatchObject({
    strategy: "Webhook",
    webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] },
  });
  const [, old] = stored?.spec.versions ?? [];
  expect([old?.name, old?.deprecationWarning]).toEqual(["v1beta1", "use v1"]);
});
