import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Pod } from "trimtab/api/core/v1";
import { managersOf, masked } from "../masked.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

scenario("the creator of an object owns its fields", async ({ client, expect }) => {
  const created = await client.create(
    ConfigMap,
    {
      metadata: { name: "a", labels: { app: "a" }, finalizers: ["example.dev/keep"] },
      data: { key: "value" },
    },
    { fieldManager: "creator" },
  );
  expect(managersOf(created)).toEqual([
    {
      manager: "creator",
      operation: "Update",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:data": { ".": {}, "f:key": {} },
        "f:metadata": {
          "f:finalizers": { ".": {}, 'v:"example.dev/keep"': {} },
          "f:labels": { ".": {}, "f:app": {} },
        },
      },
      apiVersion: "v1",
    },
  ]);
  await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
});

scenario("an object without fields has no managed fields", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" } });
  expect(managersOf(created)).toBeUndefined();
});

scenario("a generated name is the prefix and five characters", async ({ client, namespace, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { generateName: "made-" } });
  expect(created.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(masked(created)).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: created.metadata.name,
      generateName: "made-",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
    },
  });
});

scenario("a create with an existing name is refused", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  expect(await refusal(client.create(ConfigMap, { metadata: { name: "a" } }))).toEqual({
    code: 409,
    reason: "AlreadyExists",
    message: 'configmaps "a" already exists',
    details: { name: "a", kind: "configmaps" },
  });
});

scenario("AlreadyExists of a kind in a group names the group", async ({ client, expect }) => {
  const deployment = web();
  await client.create(Deployment, deployment);
  expect(await refusal(client.create(Deployment, deployment))).toEqual({
    code: 409,
    reason: "AlreadyExists",
    message: 'deployments.apps "web" already exists',
    details: { name: "web", group: "apps", kind: "deployments" },
  });
});

scenario("every violation is a separate cause", async ({ client, expect }) => {
  const broken = client.create(ConfigMap, {
    metadata: { name: "A", labels: { "a b": "c" } },
    data: { "not a key": "" },
  });
  expect(await refusal(broken)).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      "ConfigMap \"A\" is invalid: [metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), data[not a key]: Invalid value: \"not a key\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')]",
    details: {
      kind: "ConfigMap",
      name: "A",
      causes: [
        {
          reason: "FieldValueInvalid",
          message:
            "Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
          field: "metadata.name",
        },
        {
          reason: "FieldValueInvalid",
          message:
            "Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
          field: "metadata.labels",
        },
        {
          reason: "FieldValueInvalid",
          message:
            "Invalid value: \"not a key\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
          field: "data[not a key]",
        },
      ],
    },
  });
});

scenario("a missing required field is an error", async ({ client, expect }) => {
  expect(await refusal(client.create(Pod, { metadata: { name: "a" }, spec: { containers: [] } }))).toEqual({
    code: 422,
    reason: "Invalid",
    message: 'Pod "a" is invalid: spec.containers: Required value',
    details: {
      kind: "Pod",
      name: "a",
      causes: [{ reason: "FieldValueRequired", message: "Required value", field: "spec.containers" }],
    },
  });
});

scenario("an object needs a name", async ({ client, expect }) => {
  expect(await refusal(client.create(ConfigMap, { metadata: {} }))).toEqual({
    code: 422,
    reason: "Invalid",
    message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    details: {
      kind: "ConfigMap",
      causes: [
        {
          reason: "FieldValueRequired",
          message: "Required value: name or generateName is required",
          field: "metadata.name",
        },
      ],
    },
  });
});

scenario("a create in a missing namespace is refused", async ({ cluster, expect }) => {
  const metadata = { name: "a", namespace: "none" };
  expect(await refusal(cluster.client.create(ConfigMap, { metadata }))).toEqual({
    code: 404,
    reason: "NotFound",
    message: 'namespaces "none" not found',
    details: { name: "none", kind: "namespaces" },
  });
});

scenario("a dry run returns the same response, and stores nothing", async ({ client, namespace, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" } }, { dryRun: true });
  expect(masked(created)).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "a", namespace, uid: "<uid>", creationTimestamp: "<time>" },
  });
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
  const broken = client.create(ConfigMap, { metadata: { name: "A" } }, { dryRun: true });
  expect(await refusal(broken)).toMatchObject({ code: 422, reason: "Invalid" });
});

scenario(
  "missing fields of a Deployment are defaulted, and its status is the server's",
  async ({ client, namespace, expect }) => {
    const sent = { ...web(), status: { replicas: 7 } };
    const created = await client.create(Deployment, sent);
    expect(masked(created)).toEqual({
      status: {},
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: {
        name: "web",
        namespace,
        uid: "<uid>",
        resourceVersion: "<version>",
        generation: 1,
        creationTimestamp: "<time>",
      },
      spec: {
        progressDeadlineSeconds: 600,
        replicas: 1,
        revisionHistoryLimit: 10,
        selector: { matchLabels: { app: "web" } },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: {
            containers: [
              {
                name: "main",
                image: "registry.example/web:1",
                imagePullPolicy: "IfNotPresent",
                resources: {},
                terminationMessagePath: "/dev/termination-log",
                terminationMessagePolicy: "File",
              },
            ],
            dnsPolicy: "ClusterFirst",
            restartPolicy: "Always",
            schedulerName: "default-scheduler",
            securityContext: {},
            terminationGracePeriodSeconds: 30,
          },
        },
      },
    });
  },
);

scenario("missing fields of a Pod are defaulted", async ({ client, namespace, expect }) => {
  const containers = [{ name: "main", image: "none" }];
  const pod = await client.create(Pod, {
    metadata: { name: "a" },
    spec: { schedulerName: "none", containers },
  });
  expect(masked(pod)).toEqual({
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      generation: 1,
      creationTimestamp: "<time>",
    },
    spec: {
      containers: [
        {
          name: "main",
          image: "none",
          imagePullPolicy: "Always",
          resources: {},
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
      dnsPolicy: "ClusterFirst",
      enableServiceLinks: true,
      preemptionPolicy: "PreemptLowerPriority",
      priority: 0,
      restartPolicy: "Always",
      schedulerName: "none",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      tolerations: [
        {
          effect: "NoExecute",
          key: "node.kubernetes.io/not-ready",
          operator: "Exists",
          tolerationSeconds: 300,
        },
        {
          effect: "NoExecute",
          key: "node.kubernetes.io/unreachable",
          operator: "Exists",
          tolerationSeconds: 300,
        },
      ],
    },
    status: { phase: "Pending", qosClass: "BestEffort" },
  });
});

scenario("a given owner becomes the controller", async ({ client, expect }) => {
  const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
  const owned = await client.create(ConfigMap, { metadata: { name: "owned" } }, { owner });
  expect(owned.metadata.ownerReferences).toEqual([
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "owner",
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
});
