import { expect, test } from "vitest";
import type { PodSpec } from "../../api/types/core/v1.ts";
import { podWarnings } from "./pod-warnings.ts";

const main = { name: "a", image: "b" };

test.each<readonly [Partial<PodSpec>, string]>([
  [
    {
      containers: [
        {
          ...main,
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
          ],
        },
      ],
    },
    'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
  ],
  [
    { containers: [{ ...main, ports: [{ containerPort: 80 }, { containerPort: 80 }] }] },
    "spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]",
  ],
  [
    {
      containers: [
        { ...main, ports: [{ containerPort: 80 }] },
        { ...main, ports: [{ containerPort: 80 }] },
      ],
    },
    "spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]",
  ],
  [
    { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
    'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [{ hostAliases: [{ ip: "1.2.3.4" }, { ip: "1.2.3.4" }] }, 'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"'],
  [{ imagePullSecrets: [{ name: "a" }, { name: "a" }] }, 'spec.imagePullSecrets[1].name: duplicate name "a"'],
  [
    { containers: [{ ...main, resources: { limits: { memory: "1500m" } } }] },
    'spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
  ],
  [
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" }] },
    "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
  ],
])("%j is accepted with a warning", (part, warning) => {
  expect(podWarnings({ containers: [main], ...part })).toEqual([warning]);
});

test("an ordinary Pod has no warnings", () => {
  const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" as const }];
  expect(podWarnings({ containers: [{ ...main, ports }] })).toEqual([]);
});
