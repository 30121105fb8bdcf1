import type {
  Endpoints,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ReplicationController,
  ResourceQuota,
  ServiceAccount,
} from "../../api/types/core/v1.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";

const unsupported = (field: string): string => `field label not supported: ${field}`;

export const core: readonly KindEntry[] = [
  entry<Namespace>("/Namespace", {
    name: "dns-label",
    returnsDeleted: true,
    default({ metadata }) {
      if (!metadata.name) return;
      metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
    },
    deletion: {
      held: ({ spec }) => (spec?.finalizers ?? []).length > 0,
      mark(namespace, { now }) {
        namespace.metadata.deletionTimestamp = now;
        namespace.status = { ...namespace.status, phase: "Terminating" };
      },
    },
    prepareCreate(namespace) {
      const finalizers = namespace.spec?.finalizers ?? [];
      const own = finalizers.includes("kubernetes") ? [] : ["kubernetes"];
      namespace.spec = { ...namespace.spec, finalizers: [...finalizers, ...own] };
      namespace.metadata.labels = {
        ...namespace.metadata.labels,
        "kubernetes.io/metadata.name": namespace.metadata.name,
      };
      namespace.status = { phase: "Active" };
    },
    /** Only the finalize subresource takes them away. */
    prepareUpdate(namespace, before) {
      if (before.spec) namespace.spec = { ...namespace.spec, finalizers: before.spec.finalizers };
    },
    fields: { "status.phase": ({ status }) => status?.phase ?? "" },
    unknownField: unsupported,
  }),
  entry<ServiceAccount>("/ServiceAccount", { returnsDeleted: true }),
  entry<Node>("/Node", {
    keepsStatusOnCreate: true,
    default({ status }) {
      if (status?.capacity) status.allocatable ??= { ...status.capacity };
    },
    prepareCreate: ({ spec }) => taintUntilReady(spec ?? {}),
    fields: { "spec.unschedulable": ({ spec }) => String(spec?.unschedulable ?? false) },
    unknownField: unsupported,
  }),
  entry<ReplicationController>("/ReplicationController", {
    generation: "spec",
    orphansByDefault: true,
    default({ spec, metadata }) {
      if (!spec) return;
      spec.replicas ??= 1;
      if (!spec.template) return;
      if (spec.template.spec) defaultPodSpec(spec.template.spec);
      const labels = spec.template.metadata?.labels;
      spec.selector ??= labels;
      metadata.labels ??= labels;
    },
    fields: { "status.replicas": ({ status }) => String(status?.replicas ?? 0) },
    unknownField: unsupported,
  }),
  entry<PersistentVolume>("/PersistentVolume", {
    returnsDeleted: true,
    default({ spec }) {
      if (!spec) return;
      spec.persistentVolumeReclaimPolicy ??= "Retain";
      spec.volumeMode ??= "Filesystem";
      if (spec.hostPath) spec.hostPath.type ??= "";
    },
    prepareCreate(volume, { now }) {
      volume.status = { phase: "Pending", lastPhaseTransitionTime: now };
    },
  }),
  entry<PersistentVolumeClaim>("/PersistentVolumeClaim", {
    returnsDeleted: true,
    default({ spec }) {
      if (spec) spec.volumeMode ??= "Filesystem";
    },
    prepareCreate(claim) {
      claim.status = { phase: "Pending" };
    },
  }),
  entry<ResourceQuota>("/ResourceQuota", { returnsDeleted: true }),
  entry<LimitRange>("/LimitRange", { createOnUpdate: true }),
  entry<Endpoints>("/Endpoints", { createOnUpdate: true, default: defaultEndpoints }),
];

/** Nothing is scheduled to a new Node until somebody has seen it ready. */
function taintUntilReady(spec: NonNullable<Node["spec"]>): void {
  const key = "node.kubernetes.io/not-ready";
  spec.taints ??= [];
  const { taints } = spec;
  if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
  taints.push({ key, effect: "NoSchedule" });
}

function defaultEndpoints({ subsets = [] }: Endpoints): void {
  for (const { ports = [] } of subsets) for (const port of ports) port.protocol ??= "TCP";
}
