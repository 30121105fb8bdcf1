/**
 * The controllers of a cluster (Deployments, ReplicaSets and others), its scheduler and simulated nodes, so that an API
 * server alone behaves like a cluster.
 *
 * They behave as those of Kubernetes do: the same conditions, reasons, events and order of steps. They use the public
 * interface of this package only, and serve as examples of it. No containers run: a simulated node reports what its
 * Pods would do. Not for production.
 *
 * @module
 */
export type { SimulatedNode } from "./nodes/nodes.ts";
export type { PodBehavior } from "./nodes/pod-behavior.ts";
export {
  expectNodesReady,
  type WorkloadPart,
  type Workloads,
  type WorkloadsOptions,
  workloads,
} from "./workloads.ts";
