import { expect, test } from "vitest";
import { stable, widgets } from "./served.fixture.ts";
import { servedBy } from "./served.ts";

const names = (resources: typeof stable): string[] => servedBy(resources).groups.map(({ name }) => name);

test("built-in groups come in their rank, followed by the groups of custom resources by name", () => {
  const custom = ["zeta.example.dev", "sam.k8s.io", "alpha.example.dev"].map((group) => widgets({ group }));
  expect(names([...custom, ...stable])).toEqual([
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "alpha.example.dev",
    "sam.k8s.io",
    "zeta.example.dev",
  ]);
});

test("versions are sorted independently of the order of the resources", () => {
  const resources = ["v2alpha1", "v1beta1", "v1"].map((version) => widgets({ version }));
  expect(servedBy(resources).groups[0]?.versions.map(({ groupVersion }) => groupVersion)).toEqual([
    "zeta.example.dev/v1",
    "zeta.example.dev/v1beta1",
    "zeta.example.dev/v2alpha1",
  ]);
});

test("the same resources give the same value, different resources another", () => {
  const custom = widgets();
  const first = servedBy([...stable, custom]);
  expect(servedBy([...stable, custom])).toBe(first);
  expect(servedBy(stable)).not.toBe(first);
  expect(servedBy([...stable.slice(1), custom])).not.toBe(first);
});

test("without resources there are no groups", () => {
  expect(servedBy([]).groups).toEqual([]);
});
