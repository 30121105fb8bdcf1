import { digits, uid } from "./digits.ts";
import type { Marks, Template } from "./template.ts";
import { websiteTemplate, websiteUid } from "./website.ts";

/**
 * A pod of a busy cluster: about 5.27 KB of JSON, 1.6 KB of it managed fields.
 * Its fields are in the order of kube-apiserver. In lists, `kind` and `apiVersion` are absent, as there.
 */
export const podTemplate: Template = {
  resource: "pods",
  path: "/api/v1",
  kind: "Pod",
  apiVersion: "v1",
  namedInLists: false,
  object: (index, marks) => ({
    metadata: metadata(index, marks),
    spec: spec(index),
    status: status(index),
  }),
};

const created = "2026-03-02T08:15:30Z";
const started = "2026-03-02T08:15:41Z";
const apps = ["checkout", "catalogue", "payments", "sessions", "shipping"] as const;

const appOf = (index: number) => apps[index % apps.length] ?? apps[0];
/** Returns the website that owns a pod. Each website owns two hundred pods of its namespace. */
const setOf = (index: number) => (index % 50) + 50 * Math.floor(index / 10_000);
const suffix = (index: number) => digits(index + 1e8, 5);
const address = (index: number) => `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
const image = (index: number) => `registry.example.com/shop/${appOf(index)}:v1.${10 + (index % 80)}.3`;

function metadata(index: number, marks: Marks): object {
  const app = appOf(index);
  const hash = digits(setOf(index), 10);
  return {
    name: `pod-${index}`,
    generateName: `${app}-${hash}-`,
    namespace: `ns-${index % 50}`,
    uid: uid(index),
    resourceVersion: marks.resourceVersion,
    generation: 1,
    creationTimestamp: created,
    labels: {
      "app.kubernetes.io/component": "server",
      "app.kubernetes.io/instance": `${app}-${setOf(index)}`,
      "app.kubernetes.io/name": app,
      "pod-template-hash": hash,
    },
    annotations: {
      "bench.trimtab.dev/sent-us": marks.sentUs,
      "checksum/config": digits(setOf(index) + 2e8, 64),
      "network.example.com/attached": "default/overlay",
      "prometheus.io/port": "9090",
      "prometheus.io/scrape": "true",
    },
    ownerReferences: [
      {
        apiVersion: websiteTemplate.apiVersion,
        kind: websiteTemplate.kind,
        name: `website-${setOf(index)}`,
        uid: websiteUid(setOf(index)),
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    managedFields: [controllerFields(index), kubeletFields(index)],
  };
}

/** The managed fields of the websites' controller, which created the pod. */
function controllerFields(index: number): object {
  const here = { ".": {} };
  return {
    manager: "kube-controller-manager",
    operation: "Update",
    apiVersion: "v1",
    time: created,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:metadata": {
        "f:annotations": {
          ".": {},
          "f:checksum/config": {},
          "f:prometheus.io/port": {},
          "f:prometheus.io/scrape": {},
        },
        "f:generateName": {},
        "f:labels": {
          ".": {},
          "f:app.kubernetes.io/component": {},
          "f:app.kubernetes.io/instance": {},
          "f:app.kubernetes.io/name": {},
          "f:pod-template-hash": {},
        },
        "f:ownerReferences": { ".": {}, [`k:{"uid":"${websiteUid(setOf(index))}"}`]: {} },
      },
      "f:spec": {
        "f:containers": {
          'k:{"name":"app"}': {
            ".": {},
            "f:args": {},
            "f:env": { ".": {}, 'k:{"name":"LOG_LEVEL"}': { ".": {}, "f:name": {}, "f:value": {} } },
            "f:image": {},
            "f:imagePullPolicy": {},
            "f:livenessProbe": { ".": {}, "f:httpGet": here, "f:periodSeconds": {} },
            "f:name": {},
            "f:ports": here,
            "f:resources": here,
            "f:volumeMounts": here,
          },
        },
        "f:dnsPolicy": {},
        "f:restartPolicy": {},
        "f:serviceAccountName": {},
        "f:volumes": here,
      },
    },
  };
}

/** The managed fields of the kubelet: the status. */
function kubeletFields(index: number): object {
  const condition = {
    ".": {},
    "f:lastProbeTime": {},
    "f:lastTransitionTime": {},
    "f:status": {},
    "f:type": {},
  };
  return {
    manager: "kubelet",
    operation: "Update",
    apiVersion: "v1",
    time: started,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:status": {
        "f:conditions": {
          'k:{"type":"ContainersReady"}': condition,
          'k:{"type":"Initialized"}': condition,
          'k:{"type":"Ready"}': condition,
        },
        "f:containerStatuses": {},
        "f:hostIP": {},
        "f:phase": {},
        "f:podIP": {},
        "f:podIPs": { ".": {}, [`k:{"ip":"${address(index)}"}`]: { ".": {}, "f:ip": {} } },
        "f:startTime": {},
      },
    },
    subresource: "status",
  };
}

function spec(index: number): object {
  const app = appOf(index);
  return {
    volumes: [{ name: "config", configMap: { name: `${app}-config`, defaultMode: 420 } }, tokenVolume(index)],
    containers: [container(index)],
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    serviceAccountName: app,
    serviceAccount: app,
    nodeName: `node-${index % 200}.zone-b.example.internal`,
    securityContext: {},
    schedulerName: "default-scheduler",
    tolerations: [
      {
        key: "node.kubernetes.io/not-ready",
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      },
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: "PreemptLowerPriority",
  };
}

function tokenVolume(index: number): object {
  const namespace = { apiVersion: "v1", fieldPath: "metadata.namespace" };
  return {
    name: `kube-api-access-${suffix(index)}`,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        { downwardAPI: { items: [{ path: "namespace", fieldRef: namespace }] } },
      ],
      defaultMode: 420,
    },
  };
}

function container(index: number): object {
  const app = appOf(index);
  return {
    name: "app",
    image: image(index),
    args: ["--config=/etc/app/config.yaml", "--listen=:8080"],
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    env: [
      { name: "POD_NAME", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
      { name: "LOG_LEVEL", value: "info" },
      { name: "DB_HOST", value: `${app}-db.ns-${index % 50}.svc.cluster.local` },
    ],
    resources: { limits: { memory: "512Mi" }, requests: { cpu: "100m", memory: "256Mi" } },
    volumeMounts: [
      { name: "config", mountPath: "/etc/app" },
      {
        name: `kube-api-access-${suffix(index)}`,
        readOnly: true,
        mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
      },
    ],
    livenessProbe: {
      httpGet: { path: "/healthz", port: "http", scheme: "HTTP" },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    },
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
  };
}

function status(index: number): object {
  const condition = (type: string, at: string) => ({
    type,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: at,
  });
  return {
    phase: "Running",
    conditions: [
      condition("Initialized", created),
      condition("Ready", started),
      condition("ContainersReady", started),
      condition("PodScheduled", created),
    ],
    hostIP: `10.0.${index % 200}.5`,
    podIP: address(index),
    podIPs: [{ ip: address(index) }],
    startTime: created,
    containerStatuses: [
      {
        name: "app",
        state: { running: { startedAt: started } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: image(index),
        imageID: `${image(index).split(":")[0]}@sha256:${digits((index % 80) + 4e8, 64)}`,
        containerID: `containerd://${digits(index + 5e8, 64)}`,
        started: true,
      },
    ],
    qosClass: "Burstable",
  };
}
