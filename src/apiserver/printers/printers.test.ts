import { expect, test } from "vitest";
import type { ColumnDefinition } from "./column.ts";
import { printerOf } from "./printers.ts";
import { resourceOf } from "./rows.fixture.ts";

/** Formats a column: `*` for wide output, `~` before a format, `#` for integers, other types after a colon. */
function columnText({ name, type, format, priority }: ColumnDefinition): string {
  const typed = type === "integer" ? "#" : type === "string" ? "" : `:${type}`;
  return `${name}${"*".repeat(priority)}${typed}${format && `~${format}`}`;
}

test.each([
  ["v1 ConfigMap", "Name~name, Data, Age"],
  ["v1 Endpoints", "Name~name, Endpoints, Age"],
  [
    "v1 Event",
    "Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name*~name",
  ],
  ["v1 LimitRange", "Name~name, Created At:date"],
  ["v1 Namespace", "Name~name, Status, Age"],
  [
    "v1 Node",
    "Name~name, Status, Roles, Age, Version, Internal-IP*, External-IP*, OS-Image*, Kernel-Version*, Container-Runtime*",
  ],
  [
    "v1 PersistentVolumeClaim",
    "Name~name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode*",
  ],
  [
    "v1 PersistentVolume",
    "Name~name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode*",
  ],
  ["v1 Pod", "Name~name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*"],
  ["v1 PodTemplate", "Name~name, Containers, Images, Pod Labels"],
  ["v1 ReplicationController", "Name~name, Desired#, Current#, Ready#, Age, Containers*, Images*, Selector*"],
  ["v1 ResourceQuota", "Name~name, Request, Limit, Age"],
  ["v1 Secret", "Name~name, Type, Data, Age"],
  ["v1 ServiceAccount", "Name~name, Age"],
  ["v1 Service", "Name~name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*"],
  ["apiregistration.k8s.io/v1 APIService", "Name~name, Service, Available, Age"],
  ["apps/v1 ControllerRevision", "Name~name, Controller, Revision, Age"],
  [
    "apps/v1 DaemonSet",
    "Name~name, Desired#, Current#, Ready#, Up-to-date#, Available#, Node Selector, Age, Containers*, Images*, Selector*",
  ],
  ["apps/v1 Deployment", "Name~name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*"],
  ["apps/v1 ReplicaSet", "Name~name, Desired#, Current#, Ready#, Age, Containers*, Images*, Selector*"],
  ["apps/v1 StatefulSet", "Name~name, Ready, Age, Containers*, Images*"],
  [
    "events.k8s.io/v1 Event",
    "Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name*~name",
  ],
  [
    "autoscaling/v2 HorizontalPodAutoscaler",
    "Name~name, Reference, Targets, MinPods, MaxPods, Replicas, Age",
  ],
  [
    "batch/v1 CronJob",
    "Name~name, Schedule, Timezone, Suspend:boolean, Active#, Last Schedule, Age, Containers*, Images*, Selector*",
  ],
  ["batch/v1 Job", "Name~name, Status, Completions, Duration, Age, Containers*, Images*, Selector*"],
  [
    "certificates.k8s.io/v1 CertificateSigningRequest",
    "Name~name, Age, SignerName, Requestor, RequestedDuration, Condition",
  ],
  ["networking.k8s.io/v1 IngressClass", "Name~name, Controller, Parameters, Age"],
  ["networking.k8s.io/v1 Ingress", "Name~name, Class, Hosts, Address, Ports, Age"],
  ["networking.k8s.io/v1 IPAddress", "Name~name, ParentRef"],
  ["networking.k8s.io/v1 NetworkPolicy", "Name~name, Pod-Selector, Age"],
  ["networking.k8s.io/v1 ServiceCIDR", "Name~name, CIDRs, Age"],
  ["policy/v1 PodDisruptionBudget", "Name~name, Min Available, Max Unavailable, Allowed Disruptions#, Age"],
  [
    "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
    "Name~name, Role, Age, Users*, Groups*, ServiceAccounts*",
  ],
  ["rbac.authorization.k8s.io/v1 ClusterRole", "Name~name, Created At:date"],
  ["rbac.authorization.k8s.io/v1 RoleBinding", "Name~name, Role, Age, Users*, Groups*, ServiceAccounts*"],
  ["rbac.authorization.k8s.io/v1 Role", "Name~name, Created At:date"],
  [
    "storage.k8s.io/v1 CSIDriver",
    "Name~name, AttachRequired:boolean, PodInfoOnMount:boolean, StorageCapacity:boolean, TokenRequests, RequiresRepublish:boolean, Modes, Age",
  ],
  ["storage.k8s.io/v1 CSINode", "Name~name, Drivers#, Age"],
  ["storage.k8s.io/v1 CSIStorageCapacity", "Name~name, Created At:date"],
  [
    "storage.k8s.io/v1 StorageClass",
    "Name~name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age",
  ],
  ["storage.k8s.io/v1 VolumeAttachment", "Name~name, Attacher~name, PV, Node, Attached:boolean, Age"],
  ["storage.k8s.io/v1 VolumeAttributesClass", "Name~name, DriverName, Age"],
  ["admissionregistration.k8s.io/v1 MutatingAdmissionPolicy", "Name~name, Mutations#, ParamKind, Age"],
  ["admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding", "Name~name, PolicyName, ParamRef, Age"],
  ["admissionregistration.k8s.io/v1 MutatingWebhookConfiguration", "Name~name, Webhooks#, Age"],
  ["admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy", "Name~name, Validations#, ParamKind, Age"],
  [
    "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding",
    "Name~name, PolicyName, ParamRef, Age",
  ],
  ["admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration", "Name~name, Webhooks#, Age"],
  ["apiextensions.k8s.io/v1 CustomResourceDefinition", "Name~name, Created At:date"],
  ["scheduling.k8s.io/v1 PriorityClass", "Name~name, Value#, Global-Default:boolean, Age, PreemptionPolicy"],
  ["coordination.k8s.io/v1 Lease", "Name~name, Holder, Age"],
  ["node.k8s.io/v1 RuntimeClass", "Name~name, Handler, Age"],
  ["discovery.k8s.io/v1 EndpointSlice", "Name~name, AddressType, Ports, Endpoints, Age"],
  ["resource.k8s.io/v1 DeviceClass", "Name~name, Age"],
  ["resource.k8s.io/v1 ResourceClaim", "Name~name, State, Age"],
  ["resource.k8s.io/v1 ResourceClaimTemplate", "Name~name, Age"],
  ["resource.k8s.io/v1 ResourceSlice", "Name~name, Node, Driver, Pool, Age"],
  [
    "flowcontrol.apiserver.k8s.io/v1 FlowSchema",
    "Name~name, PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL",
  ],
  [
    "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration",
    "Name~name, Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit, Age",
  ],
])("%s has the same columns as in kube-apiserver", (kind, columns) => {
  expect(printerOf(resourceOf(kind)).columns.map(columnText).join(", ")).toBe(columns);
});

test("the scale of a workload has its own columns, and the scale of a custom resource starts with the name", () => {
  const deployment = resourceOf("apps/v1 Deployment");
  const scale = deployment.subresources.find(({ name }) => name === "scale");
  expect(printerOf(deployment, scale).columns.map(columnText)).toEqual([
    "Name",
    "Desired#",
    "Available#",
    "Age",
  ]);
  const custom = { ...deployment, custom: true, definition: { storageVersion: "v1" } };
  expect(printerOf(custom, scale).columns.map(columnText)).toEqual([
    "Name~name",
    "Desired#",
    "Available#",
    "Age:date",
  ]);
});
