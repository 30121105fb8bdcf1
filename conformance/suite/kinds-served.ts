import { raw } from "../raw.ts";
import { scenario } from "../scenario.ts";

/** The APIs that the release serves by default: stable versions only. */
const served: Readonly<Record<string, readonly string[]>> = {
  v1: [
    "bindings",
    "componentstatuses",
    "configmaps",
    "endpoints",
    "events",
    "limitranges",
    "namespaces",
    "namespaces/finalize",
    "namespaces/status",
    "nodes",
    "nodes/proxy",
    "nodes/status",
    "persistentvolumeclaims",
    "persistentvolumeclaims/status",
    "persistentvolumes",
    "persistentvolumes/status",
    "pods",
    "pods/attach",
    "pods/binding",
    "pods/ephemeralcontainers",
    "pods/eviction",
    "pods/exec",
    "pods/log",
    "pods/portforward",
    "pods/proxy",
    "pods/resize",
    "pods/status",
    "podtemplates",
    "replicationcontrollers",
    "replicationcontrollers/scale",
    "replicationcontrollers/status",
    "resourcequotas",
    "resourcequotas/status",
    "secrets",
    "serviceaccounts",
    "serviceaccounts/token",
    "services",
    "services/proxy",
    "services/status",
  ],
  "apiregistration.k8s.io/v1": ["apiservices", "apiservices/status"],
  "apps/v1": [
    "controllerrevisions",
    "daemonsets",
    "daemonsets/status",
    "deployments",
    "deployments/scale",
    "deployments/status",
    "replicasets",
    "replicasets/scale",
    "replicasets/status",
    "statefulsets",
    "statefulsets/scale",
    "statefulsets/status",
  ],
  "events.k8s.io/v1": ["events"],
  "authentication.k8s.io/v1": ["selfsubjectreviews", "tokenreviews"],
  "authorization.k8s.io/v1": [
    "localsubjectaccessreviews",
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "subjectaccessreviews",
  ],
  "autoscaling/v2": ["horizontalpodautoscalers", "horizontalpodautoscalers/status"],
  "autoscaling/v1": ["horizontalpodautoscalers", "horizontalpodautoscalers/status"],
  "batch/v1": ["cronjobs", "cronjobs/status", "jobs", "jobs/status"],
  "certificates.k8s.io/v1": [
    "certificatesigningrequests",
    "certificatesigningrequests/approval",
    "certificatesigningrequests/status",
  ],
  "networking.k8s.io/v1": [
    "ingressclasses",
    "ingresses",
    "ingresses/status",
    "ipaddresses",
    "networkpolicies",
    "servicecidrs",
    "servicecidrs/status",
  ],
  "policy/v1": ["poddisruptionbudgets", "poddisruptionbudgets/status"],
  "rbac.authorization.k8s.io/v1": ["clusterrolebindings", "clusterroles", "rolebindings", "roles"],
  "storage.k8s.io/v1": [
    "csidrivers",
    "csinodes",
    "csistoragecapacities",
    "storageclasses",
    "volumeattachments",
    "volumeattachments/status",
    "volumeattributesclasses",
  ],
  "admissionregistration.k8s.io/v1": [
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicies/status",
    "validatingadmissionpolicybindings",
    "validatingwebhookconfigurations",
  ],
  "apiextensions.k8s.io/v1": ["customresourcedefinitions", "customresourcedefinitions/status"],
  "scheduling.k8s.io/v1": ["priorityclasses"],
  "coordination.k8s.io/v1": ["leases"],
  "node.k8s.io/v1": ["runtimeclasses"],
  "discovery.k8s.io/v1": ["endpointslices"],
  "resource.k8s.io/v1": [
    "deviceclasses",
    "resourceclaims",
    "resourceclaims/status",
    "resourceclaimtemplates",
    "resourceslices",
  ],
  "flowcontrol.apiserver.k8s.io/v1": [
    "flowschemas",
    "flowschemas/status",
    "prioritylevelconfigurations",
    "prioritylevelconfigurations/status",
  ],
};

scenario("stable versions are served, and alpha and beta are not", async ({ client, expect }) => {
  const { body } = await raw(client, "/apis");
  const { groups } = body as { groups: { versions: { groupVersion: string }[] }[] };
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  const builtIn = versions.filter((version) => !/\.(dev|test|example|com)\//.test(version));
  expect(builtIn.sort()).toEqual(
    Object.keys(served)
      .filter((version) => version !== "v1")
      .sort(),
  );
});

for (const [version, names] of Object.entries(served)) {
  scenario(`${version} has its resources and subresources`, async ({ client, expect }) => {
    const { body } = await raw(client, version === "v1" ? "/api/v1" : `/apis/${version}`);
    const { resources } = body as { resources: { name: string }[] };
    expect(resources.map(({ name }) => name).sort()).toEqual(names);
  });
}
