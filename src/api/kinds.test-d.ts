// Compiled, never run: the types are the test. A `@ts-expect-error` fails if the line compiles.
import type {
  AnyKind,
  DeepReadonly,
  Draft,
  Kind,
  KubeObject,
  New,
  ObjectOf,
  PartialObject,
  Unstructured,
} from "./index.ts";
import { kind, metadataOnly } from "./index.ts";
import { Deployment, StatefulSet } from "./types/apps/v1.ts";
import { ConfigMap, Namespace, Node, Pod, type PodSpec, Service } from "./types/core/v1.ts";
import { RoleBinding } from "./types/rbac/v1.ts";

declare function get<T extends KubeObject>(kind: AnyKind<T>): T;
declare function path(kind: Kind): string;
declare function create<T extends KubeObject>(kind: AnyKind<T>, object: New<T>): T;
declare function apply<T extends KubeObject>(kind: AnyKind<T>, object: Draft<T>): T;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_ extends true>(): void {}

// A kind has the type of its objects.
holds<Same<ReturnType<typeof getPod>, Pod>>();
const getPod = () => get(Pod);
holds<Same<ObjectOf<typeof Deployment>, Deployment>>();
holds<Same<Pod["kind"], "Pod">>();
holds<Same<Deployment["apiVersion"], "apps/v1">>();
holds<Same<PodSpec["restartPolicy"], "Always" | "Never" | "OnFailure" | undefined>>();

// A kind of a more specific type can be used as any kind.
export const wide: Kind = Pod;
// @ts-expect-error one kind is not another
export const other: Kind<Pod> = Deployment;

// A kind that is not discovered can be used in requests, but has no path.
const found = kind({ group: "example.dev", version: "v1", kind: "Website" });
holds<Same<typeof found, AnyKind<Unstructured>>>();
holds<Same<ReturnType<typeof getFound>["spec"], unknown>>();
const getFound = () => get(found);
// @ts-expect-error its plural and scope are not known
path(found);
path(kind({ version: "v1", kind: "Widget", plural: "widgets", namespaced: true }));
// @ts-expect-error both or neither
kind({ version: "v1", kind: "Widget", plural: "widgets" });

// A metadata view has only metadata, and is discovered if its kind is.
holds<Same<ReturnType<typeof getPartial>, PartialObject>>();
const getPartial = () => get(metadataOnly(Pod));
path(metadataOnly(Pod));
// @ts-expect-error its plural and scope are not known
path(metadataOnly(found));

// Fields that the server always returns are not optional.
export const image = (pod: Pod): string | undefined => pod.spec.containers[0]?.image;
export const unschedulable = (node: Node): boolean | undefined => node.spec.unschedulable;
// @ts-expect-error the status is optional
export const phase = (pod: Pod): string | undefined => pod.status.phase;

// Create: no server-set fields, and a spec only if an empty one is not valid.
create(Namespace, { metadata: { name: "a" } });
create(Node, { metadata: { name: "a" } });
create(ConfigMap, { metadata: { generateName: "a-" }, data: { key: "value" } });
create(Service, { metadata: { name: "a", namespace: undefined }, spec: { type: "ClusterIP" } });
create(Pod, { metadata: {}, spec: { containers: [] } });
create(Pod, { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [] } });
create(found, { metadata: { name: "a" }, spec: { anything: 1 } });
// @ts-expect-error a Pod needs a spec
create(Pod, { metadata: { name: "a" } });
// @ts-expect-error the spec of a Pod needs containers
create(Pod, { metadata: { name: "a" }, spec: {} });
// @ts-expect-error metadata is required
create(Namespace, {});
// @ts-expect-error an unknown field
create(Namespace, { metadata: { name: "a" }, spec: { colour: "red" } });
// @ts-expect-error required fields beside a spec stay required
create(RoleBinding, { metadata: { name: "a" } });
// @ts-expect-error a literal outside the enum
create(Service, { metadata: { name: "a" }, spec: { type: "Cluster" } });
create(StatefulSet, {
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a" }] } },
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ],
  },
});

// Apply: any part at any depth, but always a name.
apply(Deployment, { metadata: { name: "a" } });
apply(Deployment, { metadata: { name: "a" }, spec: { template: { spec: { containers: [{ name: "a" }] } } } });
apply(found, { metadata: { name: "a" }, spec: { replicas: 1 } });
// @ts-expect-error the name is required
apply(Deployment, { metadata: { generateName: "a-" } });
// @ts-expect-error a wrong type at depth
apply(Deployment, { metadata: { name: "a" }, spec: { replicas: "1" } });

// A read-only object can be applied, and its parts can be used in an apply configuration.
export const again = (view: DeepReadonly<Deployment>): Deployment =>
  apply(Deployment, { metadata: view.metadata, spec: view.spec });
// @ts-expect-error a view is read-only
export const change = (view: DeepReadonly<Deployment>): unknown => view.spec.template.spec?.containers.push();
