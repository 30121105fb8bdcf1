import type { Frozen } from "../../api/index.ts";
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Taint,
  Toleration,
} from "../../api/types/core/v1.ts";
import type { PodView } from "../pods/pod-state.ts";
import type { NodeState } from "./node-state.ts";
import { type Amounts, requestsOf } from "./requests.ts";

/** Returns why the Pod cannot run on the node, in the words of kube-scheduler. Empty if it can. */
export function misfits(pod: PodView, state: NodeState): string[] {
  const { node } = state;
  if (node.spec?.unschedulable && !toleratesAll(pod, [unschedulable])) return ["node(s) were unschedulable"];
  const untolerated = (node.spec?.taints ?? []).find(
    (taint) => taint.effect !== "PreferNoSchedule" && !toleratesAll(pod, [taint]),
  );
  if (untolerated) return [`node(s) had untolerated taint {${untolerated.key}: ${untolerated.value ?? ""}}`];
  if (!matchesAffinity(pod, state)) return ["node(s) didn't match Pod's node affinity/selector"];
  return insufficient(requestsOf(pod), state);
}

const unschedulable: Frozen<Taint> = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

function toleratesAll({ spec }: PodView, taints: readonly Frozen<Taint>[]): boolean {
  return taints.every((taint) => (spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)));
}

function tolerates({ key, operator, value, effect }: Frozen<Toleration>, taint: Frozen<Taint>): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (!key && operator !== "Exists") return false;
  if (operator === "Exists") return true;
  return (operator ?? "Equal") === "Equal" && (value ?? "") === (taint.value ?? "");
}

function matchesAffinity({ spec }: PodView, { node }: NodeState): boolean {
  const labels = node.metadata.labels ?? {};
  if (!Object.entries(spec.nodeSelector ?? {}).every(([name, value]) => labels[name] === value)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  const fields = { "metadata.name": node.metadata.name };
  return required.nodeSelectorTerms.some((term) => matchesTerm(term, labels, fields));
}

type Values = Readonly<Record<string, string>>;

/** A term without requirements matches no node. */
function matchesTerm(
  { matchExpressions = [], matchFields = [] }: Frozen<NodeSelectorTerm>,
  labels: Values,
  fields: Values,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((each) => meets(each, labels)) && matchFields.every((each) => meets(each, fields))
  );
}

function meets({ key, operator, values = [] }: Frozen<NodeSelectorRequirement>, actual: Values): boolean {
  const value = actual[key];
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false; // an operator of a newer release
  }
}

function insufficient(requests: Amounts, state: NodeState): string[] {
  const missing: string[] = [];
  const maxPods = state.allocatable.get("pods");
  if (maxPods !== undefined && BigInt(state.usage.pods + 1) * billion > maxPods)
    missing.push("Too many pods");
  for (const [name, amount] of requests) {
    if (amount > 0n && state.usage.of(name) + amount > (state.allocatable.get(name) ?? 0n))
      missing.push(`Insufficient ${name}`);
  }
  return missing;
}

const billion = 1_000_000_000n;

/** Describes why a Pod fits no node: `0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.` */
export function noFitMessage(reasons: readonly (readonly string[])[]): string {
  if (reasons.length === 0) return "no nodes available to schedule pods";
  const counts = new Map<string, number>();
  for (const reason of reasons.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort();
  return `0/${reasons.length} nodes are available: ${texts.join(", ")}.`;
}
