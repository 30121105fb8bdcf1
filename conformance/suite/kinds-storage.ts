import { type RefusedRow, refusedInWords } from "../refused-row.ts";

/** Path, object, and the server's error. */
const rows: readonly RefusedRow[] = [
  [
    "/api/v1/namespaces/{ns}/secrets",
    { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": "aGVsbG8=" } },
    'Secret "a" is invalid: data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character \'h\' looking for beginning of value',
  ],
  [
    "/api/v1/namespaces/{ns}/secrets",
    { type: "kubernetes.io/basic-auth" },
    'Secret "a" is invalid: [data[username]: Required value, data[password]: Required value]',
  ],
  [
    "/api/v1/namespaces/{ns}/secrets",
    { type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } },
    'Secret "a" is invalid: data[ssh-privatekey]: Required value',
  ],
  [
    "/api/v1/namespaces/{ns}/secrets",
    { type: "kubernetes.io/service-account-token" },
    'Secret "a" is invalid: metadata.annotations[kubernetes.io/service-account.name]: Required value',
  ],
  [
    "/api/v1/namespaces/{ns}/persistentvolumeclaims",
    { spec: { accessModes: ["X"], resources: { requests: { storage: "0" } }, volumeMode: "Q" } },
    'PersistentVolumeClaim "a" is invalid: [spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", spec.resources[storage]: Invalid value: "0": must be greater than zero, spec.volumeMode: Unsupported value: "Q": supported values: "Block", "Filesystem"]',
  ],
  [
    "/api/v1/persistentvolumes",
    {},
    'PersistentVolume "a" is invalid: [spec.accessModes: Required value, spec.capacity: Required value, spec.capacity: Unsupported value: null: supported values: "storage", spec: Required value: must specify a volume type]',
  ],
  [
    "/api/v1/persistentvolumes",
    {
      spec: {
        capacity: { storage: "1Gi", x: "1" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/x" },
        nfs: { server: "s", path: "p" },
      },
    },
    'PersistentVolume "a" is invalid: [spec.capacity: Unsupported value: {"storage":"1Gi","x":"1"}: supported values: "storage", spec.nfs: Forbidden: may not specify more than 1 volume type]',
  ],
  [
    "/apis/storage.k8s.io/v1/storageclasses",
    {},
    'StorageClass.storage.k8s.io "a" is invalid: provisioner: Required value',
  ],
  [
    "/apis/storage.k8s.io/v1/volumeattachments",
    {},
    "VolumeAttachment.storage.k8s.io \"a\" is invalid: [spec.attacher: Required value, spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName, spec.nodeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')]",
  ],
  [
    "/apis/storage.k8s.io/v1/volumeattributesclasses",
    {},
    'VolumeAttributesClass.storage.k8s.io "a" is invalid: [driverName: Required value, parameters: Required value: must contain at least one key/value pair]',
  ],
  [
    "/api/v1/namespaces/{ns}/limitranges",
    {
      spec: {
        limits: [
          { type: "Container", max: { cpu: "1" }, min: { cpu: "2" } },
          { type: "Pod", default: { cpu: "1" } },
        ],
      },
    },
    'LimitRange "a" is invalid: [spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1, spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1, spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1, spec.limits[1].default: Forbidden: may not be specified when `type` is \'Pod\']',
  ],
  [
    "/api/v1/namespaces/{ns}/resourcequotas",
    { spec: { hard: { pods: "1.5" } } },
    'ResourceQuota "a" is invalid: spec.hard[pods]: Invalid value: "1500m": must be an integer',
  ],
];

for (const row of rows) refusedInWords(row);
