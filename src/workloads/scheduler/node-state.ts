import type { Frozen } from "../../api/index.ts";
import type { Node } from "../../api/types/core/v1.ts";
import type { PodView } from "../pods/pod-state.ts";
import { type Amounts, amountsOf, requestsOf } from "./requests.ts";

/** A node, and what its Pods use of it. */
export class NodeState {
  readonly node: Frozen<Node>;
  readonly allocatable: Amounts;
  /** The Pods of the node and what they need, by uid. */
  readonly #pods = new Map<string, Amounts>();
  readonly #used = new Map<string, bigint>();

  constructor(node: Frozen<Node>, before?: NodeState) {
    this.node = node;
    this.allocatable = new Map(amountsOf(node.status?.allocatable));
    if (before) for (const [uid, requests] of before.#pods) this.#take(uid, requests);
  }

  get pods(): number {
    return this.#pods.size;
  }

  /** Counts a Pod, once. */
  add(pod: PodView): void {
    const { uid } = pod.metadata;
    if (!this.#pods.has(uid)) this.#take(uid, requestsOf(pod));
  }

  remove(uid: string): void {
    const requests = this.#pods.get(uid);
    if (!this.#pods.delete(uid)) return;
    for (const [name, amount] of requests ?? []) this.#used.set(name, this.used(name) - amount);
  }

  /** Returns what the Pods of the node need of a resource, in billionths. */
  used(resource: string): bigint {
    return this.#used.get(resource) ?? 0n;
  }

  #take(uid: string, requests: Amounts): void {
    this.#pods.set(uid, requests);
    for (const [name, amount] of requests) this.#used.set(name, this.used(name) + amount);
  }
}

/** The nodes of a cluster. */
export class ClusterState {
  readonly #nodes = new Map<string, NodeState>();
  /** The name of the node of each Pod, by the uid of the Pod. */
  readonly #assigned = new Map<string, string>();
  /** Pods whose node was not seen yet, by the name of the node. */
  readonly #early = new Map<string, Map<string, PodView>>();

  get nodes(): readonly NodeState[] {
    return [...this.#nodes.values()];
  }

  putNode(node: Frozen<Node>): void {
    const { name } = node.metadata;
    const state = new NodeState(node, this.#nodes.get(name));
    for (const pod of this.#early.get(name)?.values() ?? []) state.add(pod);
    this.#early.delete(name);
    this.#nodes.set(name, state);
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
  }

  /** Counts a Pod on its node, also before the server knows of it. */
  assign(pod: PodView, node: string): void {
    const { uid } = pod.metadata;
    this.#assigned.set(uid, node);
    const state = this.#nodes.get(node);
    if (state) return state.add(pod);
    const early = this.#early.get(node) ?? new Map<string, PodView>();
    this.#early.set(node, early.set(uid, pod));
  }

  /** Stops counting a Pod that has ended. @returns true if it was counted */
  release(uid: string): boolean {
    const node = this.#assigned.get(uid);
    if (node === undefined) return false;
    this.#assigned.delete(uid);
    this.#nodes.get(node)?.remove(uid);
    this.#early.get(node)?.delete(uid);
    return true;
  }
}
