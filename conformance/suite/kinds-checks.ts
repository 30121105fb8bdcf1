import { Pod, ReplicationController } from "trimtab/api/core/v1";
import { type RefusedRow, refusedInWords } from "../refused-row.ts";
import { scenario } from "../scenario.ts";
import { warningsOf, wire } from "../wire.ts";

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const emptyTemplate = { metadata: { labels: { a: "b" } }, spec: { containers: [] } };
const plainScopes =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** Path, object, and the server's error. */
const rows: readonly RefusedRow[] = [
  [
    "/apis/apps/v1/namespaces/{ns}/daemonsets",
    {
      spec: {
        selector: { matchExpressions: [{ key: "a", operator: "Nope" }] },
        template: emptyTemplate,
        minReadySeconds: -1,
      },
    },
    'DaemonSet.apps "a" is invalid: [spec.selector.matchExpressions[0].operator: Invalid value: "Nope": not a valid selector operator, spec.template.spec.containers: Required value, spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0]',
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/daemonsets",
    { spec: { selector: {}, template: emptyTemplate } },
    'DaemonSet.apps "a" is invalid: [spec.selector: Invalid value: {}: empty selector is invalid for daemonset, spec.template.spec.containers: Required value]',
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/daemonsets",
    { spec: { template, minReadySeconds: -1 } },
    'DaemonSet.apps "a" is invalid: [spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`, spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0]',
  ],
  [
    "/api/v1/persistentvolumes",
    { spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "-1Gi" }, hostPath: { path: "/a" } } },
    'PersistentVolume "a" is invalid: [spec.capacity[storage]: Invalid value: -1073741824: must be a valid resource quantity, spec.capacity[storage]: Invalid value: "-1Gi": must be greater than zero]',
  ],
  [
    "/api/v1/namespaces/{ns}/resourcequotas",
    { spec: { hard: { services: "1" }, scopes: ["BestEffort"] } },
    'ResourceQuota "a" is invalid: spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
  ],
  [
    "/api/v1/namespaces/{ns}/resourcequotas",
    {
      spec: {
        hard: { pods: "1" },
        scopeSelector: {
          matchExpressions: [
            { scopeName: "BestEffort", operator: "In", values: ["a"] },
            { scopeName: "PriorityClass", operator: "In" },
            { scopeName: "Terminating", operator: "Nope" },
          ],
        },
      },
    },
    `ResourceQuota "a" is invalid: [spec.scopeSelector.matchExpressions.operator: Invalid value: "In": ${plainScopes}, spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector, spec.scopeSelector.matchExpressions.operator: Invalid value: "Nope": ${plainScopes}, spec.scopeSelector.matchExpressions.operator: Invalid value: "Nope": not a valid selector operator]`,
  ],
  [
    "/apis/apiregistration.k8s.io/v1/apiservices",
    { spec: { group: "g.example.dev", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 } },
    'APIService.apiregistration.k8s.io "a" is invalid: metadata.name: Invalid value: "a": must be `spec.version+"."+spec.group`: "v1.g.example.dev"',
  ],
  [
    "/apis/apiregistration.k8s.io/v1/apiservices",
    {
      metadata: { name: "v1.g" },
      spec: {
        group: "g",
        version: "v1",
        groupPriorityMinimum: 0,
        versionPriority: 0,
        insecureSkipTLSVerify: true,
        caBundle: "YQ==",
        service: { port: 0 },
      },
    },
    'APIService.apiregistration.k8s.io "v1.g" is invalid: [spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000, spec.versionPriority: Invalid value: 0: must be positive and less than 1000, spec.service.namespace: Required value, spec.service.name: Required value, spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive, spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present]',
  ],
  [
    "/apis/networking.k8s.io/v1/ipaddresses",
    { spec: { parentRef: { resource: "services", name: "a", namespace: "default" } } },
    'IPAddress.networking.k8s.io "a" is invalid: metadata.name: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    { spec: { request: "YQ==", signerName: "nope", usages: ["any"], expirationSeconds: 5 } },
    'CertificateSigningRequest.certificates.k8s.io "a" is invalid: [spec.request: Invalid value: "YQ==": PEM block type must be CERTIFICATE REQUEST, spec.signerName: Invalid value: "nope": must be a fully qualified domain and path of the form \'example.com/signer-name\', spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)]',
  ],
];

for (const row of rows) refusedInWords(row);

scenario(
  "a ReplicationController with a name that is not a DNS label causes a warning",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/replicationcontrollers` as const;
    const response = await wire(client, `POST ${path}`, {
      body: { metadata: { name: "a.b" }, spec: { replicas: 0, template } },
    });
    expect([response.status, warningsOf(response)]).toEqual([
      201,
      [
        "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    ]);
    await client.delete(ReplicationController, "a.b");
  },
);

scenario("a Pod without a node has no log", async ({ client, namespace, expect }) => {
  const spec = { ...template.spec, schedulerName: "none" };
  await client.create(Pod, { metadata: { name: "a" }, spec });
  const { status, text } = await wire(client, `GET /api/v1/namespaces/${namespace}/pods/a/log`);
  expect([status, text]).toEqual([204, ""]);
});
