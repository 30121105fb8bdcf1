import { expect, test } from "vitest";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../api/types/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { Pod } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import type { RegisteredConverter } from "./configurations.ts";
import { Registration, type RegistrationOptions } from "./registration.ts";
import { webhook } from "./webhook.ts";
import { Website } from "./website.fixture.ts";

const noop = (): void => {};
const converter: RegisteredConverter = {
  group: "example.dev",
  kind: "Website",
  definition: "websites.example.dev",
  storageVersion: "v1",
  convert: (object) => object,
};
const { signal } = new AbortController();
const target = { type: "service", name: "site", namespace: "web", port: 443 } as const;

class Registered {
  readonly logged: LogEntry[] = [];
  readonly clock: VirtualClock = new VirtualClock();
  readonly cluster: Cluster;

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  new(options: Partial<RegistrationOptions> = {}): Registration {
    return new Registration({
      mode: "managed",
      name: "site.web",
      target,
      namespace: "web",
      hooks: webhook(Website, { default: noop, validate: noop }).hooks,
      converters: [],
      certificates: { bundle: "CA" },
      client: this.cluster.client,
      log: loggerTo((entry) => this.logged.push(entry)),
      clock: this.clock,
      ...options,
    });
  }

  async mutating(): Promise<MutatingWebhookConfiguration["webhooks"]> {
    return (await this.cluster.client.get(MutatingWebhookConfiguration, "site.web"))?.webhooks;
  }

  async validating(): Promise<ValidatingWebhookConfiguration["webhooks"]> {
    return (await this.cluster.client.get(ValidatingWebhookConfiguration, "site.web"))?.webhooks;
  }
}

test("managed registration writes both configurations with every option", async () => {
  await using cluster = await startCluster();
  const registered = new Registered(cluster);
  expect(await registered.new().sync(signal)).toBe("CA");
  const entry = {
    rules: [
      {
        operations: ["CREATE", "UPDATE"],
        apiGroups: ["example.dev"],
        apiVersions: ["v1"],
        resources: ["websites"],
        scope: "Namespaced",
      },
    ],
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: "None",
    timeoutSeconds: 10,
    admissionReviewVersions: ["v1", "v1beta1"],
  };
  const service = { name: "site", namespace: "web", port: 443 };
  expect(await registered.mutating()).toEqual([
    {
      ...entry,
      name: "mutate.websites.example.dev",
      clientConfig: { service: { ...service, path: "/mutate-example-dev-v1-website" }, caBundle: "Q0E=" },
      reinvocationPolicy: "Never",
    },
  ]);
  expect(await registered.validating()).toEqual([
    {
      ...entry,
      name: "validate.websites.example.dev",
      clientConfig: { service: { ...service, path: "/validate-example-dev-v1-website" }, caBundle: "Q0E=" },
    },
  ]);
});

test("webhooks for shared kinds with policy Fail exclude kube-system and their own namespace, unless a selector is given", async () => {
  await using cluster = await startCluster();
  const registered = new Registered(cluster);
  const hooks = [
    ...webhook(Pod, { validate: noop }).hooks,
    ...webhook(Pod, { validate: noop, name: "ignored.example.dev", failurePolicy: "Ignore" }).hooks,
    ...webhook(Pod, {
      validate: noop,
      name: "chosen.example.dev",
      namespaceSelector: { matchLabels: { team: "web" } },
    }).hooks,
  ];
  await registered.new({ hooks }).sync(signal);
  const selectors = (await registered.validating())?.map(({ namespaceSelector }) => namespaceSelector);
  expect(selectors).toEqual([
    {
      matchExpressions: [
        { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system", "web"] },
      ],
    },
    {},
    { matchLabels: { team: "web" } },
  ]);
});

test("changes by other programs are repaired, and a deleted configuration is created again", async () => {
  await using cluster = await startCluster();
  const registered = new Registered(cluster);
  const registration = registered.new();
  await registration.sync(signal);
  await cluster.client.patch(ValidatingWebhookConfiguration, "site.web", {
    json: [{ op: "replace", path: "/webhooks/0/failurePolicy", value: "Ignore" }],
  });
  await cluster.client.delete(MutatingWebhookConfiguration, "site.web");
  await registration.sync(signal);
  expect((await registered.validating())?.[0]?.failurePolicy).toBe("Fail");
  expect((await registered.mutating())?.length).toBe(1);
});

test("a sync without a change does not write", async () => {
  await using cluster = await startCluster();
  const registration = new Registered(cluster).new();
  const version = async (): Promise<string | undefined> =>
    (await cluster.client.get(ValidatingWebhookConfiguration, "site.web"))?.metadata.resourceVersion;
  await registration.sync(signal);
  const before = await version();
  await registration.sync(signal);
  expect(await version()).toBe(before);
});

test("a later release wins; the earlier one gives way for ten minutes, and does not report its CAs as registered", async () => {
  await using cluster = await startCluster();
  const registered = new Registered(cluster);
  const old = registered.new();
  await old.sync(signal);
  const { hooks } = webhook(Website, { validate: noop, failurePolicy: "Ignore" });
  await registered.new({ hooks }).sync(signal);
  expect([await registered.mutating(), (await registered.validating())?.[0]?.failurePolicy]).toEqual([
    undefined,
    "Ignore",
  ]);
  expect(await old.sync(signal)).toBeUndefined();
  expect((await registered.validating())?.[0]?.failurePolicy).toBe("Ignore");
  await registered.clock.advance(600_000);
  expect(await old.sync(signal)).toBe("CA");
  expect((await registered.validating())?.[0]?.failurePolicy).toBe("Fail");
});

const definition = {
  metadata: { name: "websites.example.dev" },
  spec: {
    group: "example.dev",
    scope: "Namespaced" as const,
    names: { kind: "Website", plural: "websites" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

test("the conversion section of a CustomResourceDefinition is written and removed; a missing definition is a warning", async () => {
  await using cluster = await startCluster();
  const registered = new Registered(cluster);
  const registration = registered.new({ hooks: [], converters: [converter], mode: "temporary" });
  expect(await registration.sync(signal)).toBeUndefined();
  expect(registered.logged).toMatchObject([
    { level: "warn", fields: { definition: "websites.example.dev" } },
  ]);
  await cluster.client.create(CustomResourceDefinition, definition);
  expect(await registration.sync(signal)).toBe("CA");
  const conversion = async (): Promise<unknown> =>
    (await cluster.client.get(CustomResourceDefinition, "websites.example.dev"))?.spec.conversion;
  expect(await conversion()).toEqual({
    strategy: "Webhook",
    webhook: {
      clientConfig: {
        service: { name: "site", namespace: "web", port: 443, path: "/convert" },
        caBundle: "Q0E=",
      },
      conversionReviewVersions: ["v1", "v1beta1"],
    },
  });
  await registration.remove();
  expect(await conversion()).toEqual({ strategy: "None" });
});

test("a temporary registration is removed at the end, twice as well as once", async () => {
  await using cluster = await startCluster();
  const registered = new Registered(cluster);
  const registration = registered.new({
    mode: "temporary",
    target: { type: "url", url: "https://127.0.0.1:9443" },
  });
  await registration.sync(signal);
  expect((await registered.mutating())?.[0]?.clientConfig.url).toBe(
    "https://127.0.0.1:9443/mutate-example-dev-v1-website",
  );
  await registration.remove();
  await registration.remove();
  expect([await registered.mutating(), await registered.validating()]).toEqual([undefined, undefined]);
});

test("a bundle registration only sets caBundle of webhooks that lead to this server", async () => {
  await using cluster = await startCluster();
  const registered = new Registered(cluster);
  const registration = registered.new({ mode: "bundle", hooks: webhook(Website, { validate: noop }).hooks });
  await expect(registration.sync(signal)).rejects.toThrow(
    'expected ValidatingWebhookConfiguration site.web to exist, got none; create it, or set registration: "managed"',
  );
  const webhooks = ["site", "other"].map((name) => ({
    sideEffects: "None" as const,
    admissionReviewVersions: ["v1"],
    name: `${name}.example.dev`,
    clientConfig: { service: { name, namespace: "web" } },
  }));
  const created = await cluster.client.create(ValidatingWebhookConfiguration, {
    metadata: { name: "site.web" },
    webhooks,
  });
  expect(await registration.sync(signal)).toBe("CA");
  const [own, other] = created.webhooks ?? [];
  expect(await registered.validating()).toEqual([
    { ...own, clientConfig: { ...own?.clientConfig, caBundle: "Q0E=" } },
    other,
  ]);
});
