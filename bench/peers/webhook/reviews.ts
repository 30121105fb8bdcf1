import { podTemplate } from "../../stub/index.ts";

const kind = { group: "", version: "v1", kind: "Pod" };
const resource = { group: "", version: "v1", resource: "pods" };
const userInfo = {
  username: "system:serviceaccount:kube-system:replicaset-controller",
  uid: "8f4b4a4c-5f0f-4c1d-9b55-1f1f6f3c5a10",
  groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
};

/** Returns the body of an AdmissionReview in which a pod of the stub is created: about 6 KB. */
export function podReview(index: number): string {
  const { apiVersion, kind: name, object } = podTemplate;
  const pod = object(index, { resourceVersion: "1000000000", sentUs: "0000000000000000" });
  return JSON.stringify({
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: `705ab4f5-6393-11e8-b7cc-${`${index}`.padStart(12, "0")}`,
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: `pod-${index}`,
      namespace: `ns-${index % 50}`,
      operation: "CREATE",
      userInfo,
      object: { kind: name, apiVersion, ...pod },
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
    },
  });
}
