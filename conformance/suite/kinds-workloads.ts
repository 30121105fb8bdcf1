import { type RefusedRow, refusedInWords } from "../refused-row.ts";

/** Path, object, and the server's error. */
const rows: readonly RefusedRow[] = [
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [{ name: "c", image: "i", resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }],
      },
    },
    'Pod "a" is invalid: spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [
          { name: "c", image: "i", livenessProbe: {}, startupProbe: { exec: {}, successThreshold: 2 } },
        ],
      },
    },
    'Pod "a" is invalid: [spec.containers[0].livenessProbe: Required value: must specify a handler type, spec.containers[0].startupProbe.exec.command: Required value, spec.containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1]',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [
          {
            name: "c",
            image: "i",
            readinessProbe: { httpGet: { port: 0, scheme: "X" }, tcpSocket: { port: 1 } },
          },
        ],
      },
    },
    'Pod "a" is invalid: [spec.containers[0].readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.containers[0].readinessProbe.httpGet.scheme: Unsupported value: "X": supported values: "HTTP", "HTTPS", spec.containers[0].readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type]',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [
          {
            name: "c",
            image: "i",
            env: [
              { name: "a=b" },
              { name: "A", valueFrom: {} },
              { name: "B", valueFrom: { fieldRef: { fieldPath: "spec.foo" } } },
            ],
          },
        ],
      },
    },
    'Pod "a" is invalid: [spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\', spec.containers[0].env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`, spec.containers[0].env[2].valueFrom.fieldRef.fieldPath: Invalid value: "spec.foo": error converting fieldPath: field label not supported: spec.foo]',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [
          {
            name: "c",
            image: "i",
            ports: [
              { containerPort: 80, name: "A_" },
              { containerPort: 81, hostPort: 99999 },
            ],
          },
        ],
      },
    },
    'Pod "a" is invalid: [spec.containers[0].ports[0].name: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), spec.containers[0].ports[0].name: Invalid value: "A_": must contain at least one letter (a-z), spec.containers[0].ports[1].hostPort: Invalid value: 99999: must be between 1 and 65535, inclusive]',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [{ name: "c", image: "i" }],
        volumes: [
          { name: "v", emptyDir: {}, hostPath: { path: "/x" } },
          { name: "s", secret: {} },
          { name: "p", persistentVolumeClaim: { claimName: "" } },
        ],
      },
    },
    'Pod "a" is invalid: [spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type, spec.volumes[1].secret.secretName: Required value, spec.volumes[2].persistentVolumeClaim.claimName: Required value]',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [{ name: "c", image: "i" }],
        tolerations: [{ operator: "Equal" }, { key: "k", tolerationSeconds: 5 }],
        dnsPolicy: "None",
        hostname: "A_",
      },
    },
    "Pod \"a\" is invalid: [spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None, spec.hostname: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'), spec.tolerations[0].operator: Invalid value: \"Equal\": operator must be Exists when `key` is empty, which means \"match all values and all keys\", spec.tolerations[1].effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set]",
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [{ name: "c", image: "i" }],
        initContainers: [{ name: "c", image: "i", livenessProbe: { exec: { command: ["a"] } } }],
      },
    },
    'Pod "a" is invalid: [spec.initContainers[0].name: Duplicate value: "c", spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always]',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    {
      spec: {
        containers: [{ name: "c", image: "i" }],
        schedulingGates: [{ name: "x" }, { name: "x" }],
        nodeName: "n",
        activeDeadlineSeconds: 0,
      },
    },
    'Pod "a" is invalid: [spec.schedulingGates[1]: Duplicate value: "x", spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive, spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared]',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    { spec: { containers: [{ name: "c", image: "i" }], priority: 1 } },
    'pods "a" is forbidden: the integer value of priority (1) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  [
    "/api/v1/namespaces/{ns}/pods",
    { spec: { containers: [{ name: "c", image: "i" }], priorityClassName: "absent-class" } },
    'pods "a" is forbidden: no PriorityClass with name absent-class was found',
  ],
  [
    "/api/v1/namespaces/{ns}/replicationcontrollers",
    {
      spec: {
        selector: { a: "x" },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        replicas: -1,
      },
    },
    'ReplicationController "a" is invalid: [spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`]',
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/deployments",
    {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        strategy: { type: "Foo" },
      },
    },
    'Deployment.apps "a" is invalid: spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/deployments",
    {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        strategy: { rollingUpdate: { maxSurge: "x%", maxUnavailable: "120%" } },
      },
    },
    "Deployment.apps \"a\" is invalid: [spec.strategy.rollingUpdate.maxSurge: Invalid value: \"x%\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%'), spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"120%\": must not be greater than 100%]",
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/deployments",
    {
      spec: {
        selector: { matchExpressions: [{ key: "a", operator: "In" }] },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    },
    'Deployment.apps "a" is invalid: [spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is \'In\' or \'NotIn\', spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"In"}]}: invalid label selector]',
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/statefulsets",
    {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        podManagementPolicy: "X",
        updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } },
        volumeClaimTemplates: [{ metadata: { name: "d" }, spec: {} }],
      },
    },
    'StatefulSet.apps "a" is invalid: [spec.podManagementPolicy: Invalid value: "X": must be \'OrderedReady\' or \'Parallel\', spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\', spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required, spec.volumeClaimTemplates[0].spec.resources[storage]: Required value]',
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/daemonsets",
    {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        updateStrategy: { rollingUpdate: { maxUnavailable: 0 } },
      },
    },
    'DaemonSet.apps "a" is invalid: spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ],
  [
    "/apis/apps/v1/namespaces/{ns}/daemonsets",
    {},
    'DaemonSet.apps "a" is invalid: [spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]',
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/jobs",
    {
      spec: {
        template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } },
        parallelism: -1,
        ttlSecondsAfterFinished: -1,
        completionMode: "X",
      },
    },
    'Job.batch "a" is invalid: [spec.parallelism: Invalid value: -1: must be greater than or equal to 0, spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0, spec.completionMode: Unsupported value: "X": supported values: "NonIndexed", "Indexed"]',
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/jobs",
    {
      spec: {
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    },
    'Job.batch "a" is invalid: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/jobs",
    {
      spec: {
        template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } },
        manualSelector: true,
      },
    },
    'Job.batch "a" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`]',
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/cronjobs",
    {
      spec: {
        schedule: "foo",
        jobTemplate: {
          spec: { template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } } },
        },
        timeZone: "Mars/X",
      },
    },
    'CronJob.batch "a" is invalid: [spec.schedule: Invalid value: "foo": expected exactly 5 fields, found 1: [foo], spec.timeZone: Invalid value: "Mars/X": unknown time zone Mars/X]',
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/cronjobs",
    {
      spec: {
        schedule: "61 * * * *",
        jobTemplate: {
          spec: { template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } } },
        },
        concurrencyPolicy: "X",
      },
    },
    'CronJob.batch "a" is invalid: [spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61, spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace"]',
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/cronjobs",
    {
      spec: {
        schedule: "* */0 * * *",
        jobTemplate: {
          spec: { template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } } },
        },
      },
    },
    'CronJob.batch "a" is invalid: spec.schedule: Invalid value: "* */0 * * *": step of range should be a positive number: */0',
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/cronjobs",
    {
      spec: {
        schedule: "@every 5x",
        jobTemplate: {
          spec: { template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } } },
        },
      },
    },
    'CronJob.batch "a" is invalid: spec.schedule: Invalid value: "@every 5x": failed to parse duration @every 5x: time: unknown unit "x" in duration "5x"',
  ],
  [
    "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
    { spec: { maxReplicas: 0, scaleTargetRef: {} } },
    'HorizontalPodAutoscaler.autoscaling "a" is invalid: [spec.maxReplicas: Required value: must be set and greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`, spec.scaleTargetRef.kind: Required value, spec.scaleTargetRef.name: Required value, spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group]',
  ],
  [
    "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" },
        metrics: [{ type: "Resource" }, { type: "X" }],
      },
    },
    'HorizontalPodAutoscaler.autoscaling "a" is invalid: [spec.metrics[0].resource: Required value: must populate information for the given metric source, spec.metrics[1].type: Unsupported value: "X": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"]',
  ],
  [
    "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    { spec: { minAvailable: -1, unhealthyPodEvictionPolicy: "X" } },
    'PodDisruptionBudget.policy "a" is invalid: [spec.minAvailable: Invalid value: -1: must be greater than or equal to 0, spec.unhealthyPodEvictionPolicy: Unsupported value: "X": supported values: "AlwaysAllow", "IfHealthyBudget"]',
  ],
  [
    "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    { spec: { maxUnavailable: "110%" } },
    'PodDisruptionBudget.policy "a" is invalid: spec.maxUnavailable: Invalid value: "110%": must not be greater than 100%',
  ],
];

for (const row of rows) refusedInWords(row);
