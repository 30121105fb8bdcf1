/** Valid objects of many built-in kinds, which both servers accept in a new namespace. */
const app = { app: "web" };
const metadata = { name: "sample", labels: app, annotations: { note: "Grüße" } };
const container = {
  name: "main",
  image: "image:1",
  command: ["sh", "-c"],
  env: [
    { name: "A", value: "" },
    { name: "B", valueFrom: { configMapKeyRef: { name: "c", key: "k", optional: false } } },
    { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  ],
  envFrom: [{ prefix: "P_", secretRef: { name: "s" } }],
  ports: [{ name: "http", containerPort: 80 }],
  resources: { requests: { cpu: "100m", memory: "1Gi" }, limits: { cpu: "1", memory: "1.5Gi" } },
  livenessProbe: {
    httpGet: { path: "/", port: "http", httpHeaders: [{ name: "X", value: "1" }] },
    periodSeconds: 3,
  },
  readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 0 },
  lifecycle: { preStop: { exec: { command: ["true"] } } },
  securityContext: { runAsUser: 0, privileged: false, capabilities: { drop: ["ALL"] } },
  volumeMounts: [{ name: "data", mountPath: "/data" }],
};
const podSpec = {
  containers: [container],
  volumes: [
    { name: "data", emptyDir: { sizeLimit: "1Gi" } },
    {
      name: "all",
      projected: { sources: [{ configMap: { name: "c", items: [{ key: "k", path: "p", mode: 256 }] } }] },
    },
  ],
  terminationGracePeriodSeconds: 0,
  automountServiceAccountToken: false,
  securityContext: { supplementalGroups: [1, 2], fsGroup: 0, sysctls: [{ name: "kernel.a", value: "1" }] },
  tolerations: [{ key: "k", operator: "Exists", tolerationSeconds: 0, effect: "NoExecute" }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: app } } },
      ],
    },
  },
  hostAliases: [{ ip: "10.0.0.1", hostnames: ["a.example"] }],
};
const template = { metadata: { labels: app }, spec: podSpec };
const selector = { matchLabels: app };
const jobTemplate = { metadata: { labels: { job: "a" } }, spec: { ...podSpec, restartPolicy: "Never" } };
const anyPort = { protocol: "TCP", port: 80 };

const inNamespace: readonly object[] = [
  { apiVersion: "v1", kind: "Pod", metadata, spec: podSpec },
  { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "", b: "x" }, binaryData: { c: "AP8=" } },
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    type: "Opaque",
    data: { a: "AA==", b: "" },
    immutable: false,
  },
  {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata,
    secrets: [{ name: "a" }],
    automountServiceAccountToken: false,
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: {
      selector: app,
      clusterIP: "None",
      ports: [
        { name: "a", port: 80, targetPort: "http" },
        { name: "b", port: 81 },
      ],
    },
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata,
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      resources: { requests: { storage: "1Gi" } },
    },
  },
  {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata,
    spec: { hard: { pods: "3", "requests.cpu": "1500m" } },
  },
  { apiVersion: "v1", kind: "LimitRange", metadata, spec: { limits: [{ type: "Pod", max: { cpu: "2" } }] } },
  {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata,
    subsets: [{ addresses: [{ ip: "10.0.0.1", nodeName: "n" }], ports: [{ port: 80 }] }],
  },
  { apiVersion: "v1", kind: "PodTemplate", metadata, template },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    metadata,
    spec: { replicas: 0, selector: app, template },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: 0, selector, template, paused: true },
  },
  { apiVersion: "apps/v1", kind: "DaemonSet", metadata, spec: { selector, template, minReadySeconds: 0 } },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata,
    spec: { serviceName: "web", selector, template, ordinals: { start: 2 }, podManagementPolicy: "Parallel" },
  },
  { apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec: { selector, template } },
  {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata,
    revision: 3,
    data: { spec: { a: [1, null, 1.5] } },
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata,
    spec: { template: jobTemplate, backoffLimit: 0, suspend: true },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata,
    spec: { schedule: "0 3 * * *", suspend: true, jobTemplate: { spec: { template: jobTemplate } } },
  },
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata,
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 3,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata,
    spec: {
      tls: [{ hosts: ["a.example"], secretName: "s" }],
      rules: [
        {
          host: "a.example",
          http: {
            paths: [
              { path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata,
    spec: {
      podSelector: {},
      ingress: [
        {
          from: [{ namespaceSelector: {} }, { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }],
          ports: [anyPort],
        },
      ],
      egress: [{}],
      policyTypes: ["Ingress", "Egress"],
    },
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { selector, maxUnavailable: "50%" },
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata,
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"], resourceNames: ["a"] }],
  },
  {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata,
    spec: {
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-02T03:04:05.000006Z",
      leaseTransitions: 0,
    },
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata,
    addressType: "IPv4",
    endpoints: [
      { addresses: ["10.0.0.1"], conditions: { ready: false }, hints: { forZones: [{ name: "a" }] } },
    ],
    ports: [{ name: "", port: 80 }],
  },
];

const clusterScoped: readonly object[] = [
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "samples.proto.example" },
    spec: {
      group: "proto.example",
      scope: "Namespaced",
      names: { plural: "samples", kind: "Sample", shortNames: ["sa"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" },
          },
          additionalPrinterColumns: [{ name: "N", type: "integer", jsonPath: ".spec.n", priority: 0 }],
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  required: ["n"],
                  properties: {
                    n: { type: "integer", minimum: 0, maximum: 1.5e9, default: 0, format: "int32" },
                    tags: {
                      type: "array",
                      items: { type: "string", enum: ["a", "b"] },
                      "x-kubernetes-list-type": "set",
                    },
                    any: { "x-kubernetes-preserve-unknown-fields": true, nullable: true },
                    port: { "x-kubernetes-int-or-string": true },
                    map: { type: "object", additionalProperties: { type: "string", minLength: 0 } },
                  },
                },
                status: { type: "object", properties: { n: { type: "integer" } } },
              },
            },
          },
        },
      ],
    },
  },
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "proto" },
    value: 7,
    description: "a",
  },
  {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    metadata: { name: "proto" },
    handler: "h",
    overhead: { podFixed: { cpu: "1m" } },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "proto" },
    provisioner: "a.example/b",
    parameters: { a: "" },
    mountOptions: ["ro"],
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "proto" },
    webhooks: [
      {
        name: "a.example.dev",
        clientConfig: { url: "https://a.example/b", caBundle: "" },
        rules: [
          {
            apiGroups: ["none.example"],
            apiVersions: ["v1"],
            operations: ["CREATE"],
            resources: ["nones"],
            scope: "*",
          },
        ],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        timeoutSeconds: 3,
      },
    ],
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "proto" },
    spec: {
      capacity: { storage: "5Gi" },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: "/a" },
      persistentVolumeReclaimPolicy: "Retain",
    },
  },
  {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "PriorityLevelConfiguration",
    metadata: { name: "proto" },
    spec: {
      type: "Limited",
      limited: { nominalConcurrencyShares: 0, lendablePercent: 0, limitResponse: { type: "Reject" } },
    },
  },
];

export const samples: readonly object[] = [...inNamespace, ...clusterScoped];
