import type { KubeObject, TemplateMeta } from "../api/index.ts";
import { timestamp, uuid } from "../base/index.ts";
import type { Engine } from "./engine.ts";
import { namespacePrefix } from "./namespaces.ts";
import { storable } from "./object-meta.ts";
import { serviceAddress } from "./service-range.ts";
import { writeJson } from "./write-json.ts";

/** Where Services are stored. */
export const servicePrefix = "/registry/services/specs/";

/** What is there before anybody asks for anything. What is stored already stays as it is. */
export function bootstrap(engine: Engine): void {
  for (const name of ["kube-system", "kube-public", "kube-node-lease", "default"]) {
    make(engine, namespacePrefix + name, namespace(name));
  }
  make(engine, `${servicePrefix}default/kubernetes`, kubernetesService);
}

/** An object without what the server gives it. */
interface Unmade {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: TemplateMeta;
  readonly spec: object;
  readonly status: object;
}

function make({ storage, clock, rng }: Engine, key: string, object: Unmade): void {
  if (storage.get(key)) return;
  const own = { uid: uuid(rng), creationTimestamp: timestamp(clock.now()) };
  // Its resourceVersion is where it is stored.
  const made = { ...object, metadata: { ...object.metadata, ...own } } as KubeObject;
  const json = writeJson(storable(made));
  storage.put(key, { expected: 0, json });
}

function namespace(name: string): Unmade {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

/** By which Pods would reach the API server. */
const kubernetesService: Unmade = {
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
