import { expect, test } from "vitest";
import type { Pod } from "../../api/types/core/v1.ts";
import type { PodView } from "../pods/pod-state.ts";
import { requestsOf } from "./requests.ts";

function container(name: string, cpu: string, more: object = {}): Pod["spec"]["containers"][number] {
  return { name, resources: { requests: { cpu } }, ...more };
}

const main = [container("a", "1"), container("b", "500m")];
const sidecar = container("proxy", "1", { restartPolicy: "Always" });

test.each<[string, Partial<Pod["spec"]>, bigint]>([
  ["the sum of its containers", {}, 1500n],
  ["no more for a small init container", { initContainers: [container("init", "1")] }, 1500n],
  ["that of a large init container", { initContainers: [container("init", "4")] }, 4000n],
  ["that of its sidecars too", { initContainers: [sidecar] }, 2500n],
  ["the sidecars before an init container", { initContainers: [sidecar, container("init", "4")] }, 5000n],
  ["not the sidecars after it", { initContainers: [container("init", "4"), sidecar] }, 4000n],
  ["its overhead", { overhead: { cpu: "250m" } }, 1750n],
  ["what the Pod itself requests", { resources: { requests: { cpu: "8" } } }, 8000n],
])("a Pod needs %s", (_, spec, milli) => {
  const pod = { metadata: { name: "web" }, spec: { containers: main, ...spec } } as PodView;
  expect(requestsOf(pod)).toEqual(new Map([["cpu", milli * 1_000_000n]]));
});
