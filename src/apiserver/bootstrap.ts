import type { KubeObject, TemplateMeta } from "../api/index.ts";
import { timestamp, uuid } from "../base/index.ts";
import { writeJson } from "../schema/index.ts";
import { storable } from "./codec/object-meta.ts";
import { serviceAddress } from "./storage/service-range.ts";
import type { Engine } from "./verbs/engine.ts";
import { namespacePrefix } from "./verbs/namespaces.ts";

/** The storage prefix of Services. */
export const servicePrefix = "/registry/services/specs/";

/**
 * Creates the objects that every cluster has: the default namespaces and the Service `kubernetes`. Objects that exist
 * are kept.
 */
export function bootstrap(engine: Engine): void {
  for (const name of ["kube-system", "kube-public", "kube-node-lease", "default"]) {
    createIfMissing(engine, namespacePrefix + name, namespace(name));
  }
  createIfMissing(engine, `${servicePrefix}default/kubernetes`, kubernetesService);
}

/** An object without the fields that the server sets. */
interface ObjectDraft {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: TemplateMeta;
  readonly spec: object;
  readonly status: object;
}

function createIfMissing({ storage, clock, rng }: Engine, key: string, object: ObjectDraft): void {
  if (storage.get(key)) return;
  const serverFields = { uid: uuid(rng), creationTimestamp: timestamp(clock.now()) };
  // The resource version is the revision of the stored entry.
  const created = { ...object, metadata: { ...object.metadata, ...serverFields } } as KubeObject;
  const json = writeJson(storable(created));
  storage.put(key, { expected: 0, json });
}

function namespace(name: string): ObjectDraft {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

/** The Service by which Pods reach the API server. */
const kubernetesService: ObjectDraft = {
  kind: "Service",
  apiVersion: "v1",
  metadata: {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  },
  spec: {
    ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: 6443 }],
    clusterIP: serviceAddress(0),
    clusterIPs: [serviceAddress(0)],
    type: "ClusterIP",
    sessionAffinity: "None",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    internalTrafficPolicy: "Cluster",
  },
  status: { loadBalancer: {} },
};
