import type { Frozen } from "../../api/index.ts";
import type { Node } from "../../api/types/core/v1.ts";
import type { PodView } from "../pods/pod-state.ts";
import { type Amounts, amountsOf, requestsOf } from "./requests.ts";

/** A node, and what its Pods use of it. */
export interface NodeState {
  readonly node: Frozen<Node>;
  readonly allocatable: Amounts;
  readonly usage: NodeUsage;
}

/** The Pods of a node and what they need of it. */
export class NodeUsage {
  readonly #pods = new Map<string, Amounts>();
  /** The sums of `#pods`. */
  readonly #used = new Map<string, bigint>();

  get pods(): number {
    return this.#pods.size;
  }

  /** Returns what the Pods need of a resource, in billionths. */
  of(resource: string): bigint {
    return this.#used.get(resource) ?? 0n;
  }

  /** Counts a Pod, once. */
  add(pod: PodView): void {
    const { uid } = pod.metadata;
    if (this.#pods.has(uid)) return;
    const requests = requestsOf(pod);
    this.#pods.set(uid, requests);
    for (const [name, amount] of requests) this.#used.set(name, this.of(name) + amount);
  }

  remove(uid: string): void {
    for (const [name, amount] of this.#pods.get(uid) ?? []) this.#used.set(name, this.of(name) - amount);
    this.#pods.delete(uid);
  }
}

/** The nodes of a cluster, and the Pods that are assigned to them, also to nodes that were not seen. */
export class ClusterState {
  readonly #nodes = new Map<string, NodeState>();
  /** By the name of the node. Has no entry without Pods, unless the node exists. */
  readonly #usages = new Map<string, NodeUsage>();
  /** The name of the node of each Pod, by the uid of the Pod. */
  readonly #assigned = new Map<string, string>();

  get nodes(): readonly NodeState[] {
    return [...this.#nodes.values()];
  }

  putNode(node: Frozen<Node>): void {
    const { name } = node.metadata;
    const allocatable = new Map(amountsOf(node.status?.allocatable));
    this.#nodes.set(name, { node, allocatable, usage: this.#usageOf(name) });
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
    this.#forgetUnused(name);
  }

  /** Counts a Pod on its node, also before the server knows of it. */
  assign(pod: PodView, node: string): void {
    this.#assigned.set(pod.metadata.uid, node);
    this.#usageOf(node).add(pod);
  }

  /** Stops counting a Pod that has ended. @returns true if it was counted */
  release(uid: string): boolean {
    const node = this.#assigned.get(uid);
    if (node === undefined) return false;
    this.#assigned.delete(uid);
    this.#usages.get(node)?.remove(uid);
    this.#forgetUnused(node);
    return true;
  }

  #usageOf(name: string): NodeUsage {
    const usage = this.#usages.get(name) ?? new NodeUsage();
    this.#usages.set(name, usage);
    return usage;
  }

  #forgetUnused(name: string): void {
    if (!this.#nodes.has(name) && this.#usages.get(name)?.pods === 0) this.#usages.delete(name);
  }
}
