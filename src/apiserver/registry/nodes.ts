import type { Node, NodeSpec, Taint } from "../../api/types/core/v1.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  GoStruct,
  invalid,
  notSupported,
} from "../../schema/index.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { repeats } from "../validation/repeats.ts";
import { cidrErrors } from "./address-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";

export const nodes: readonly KindEntry[] = [
  kindEntry<Node>("/Node", {
    keepsStatusOnCreate: true,
    default({ spec, status }) {
      if (spec) syncPodCidrs(spec);
      if (status?.capacity) status.allocatable ??= { ...status.capacity };
    },
    prepareCreate(node) {
      node.spec ??= {};
      taintUntilReady(node.spec);
    },
    validate: ({ spec = {} }) => [
      ...taintListErrors(spec.taints ?? []),
      ...(spec.podCIDRs ?? []).flatMap((cidr, index) => cidrErrors(cidr, `spec.podCIDRs[${index}]`)),
    ],
    validateUpdate: ({ spec = {} }, { spec: before = {} }) => [
      ...setOnceErrors(spec.podCIDR, before.podCIDR, "podCIDR"),
      ...setOnceErrors(spec.providerID, before.providerID, "providerID"),
    ],
    fields: { "spec.unschedulable": ({ spec }) => String(spec?.unschedulable ?? false) },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

/** Makes `podCIDR` and `podCIDRs` consistent. If they differ, `podCIDR` wins. */
function syncPodCidrs(spec: NodeSpec): void {
  const [first] = spec.podCIDRs ?? [];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first) spec.podCIDR = first;
}

/** Adds the not-ready taint, so that no Pod is scheduled to a new Node before it is ready. */
function taintUntilReady(spec: NodeSpec): void {
  const key = "node.kubernetes.io/not-ready";
  spec.taints ??= [];
  const { taints } = spec;
  if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
  taints.push({ key, effect: "NoSchedule" });
}

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function taintListErrors(taints: readonly Taint[]): FieldError[] {
  const isDuplicate = repeats(taints, ({ key, effect }) => JSON.stringify([key, effect]));
  return taints.flatMap((taint, index) =>
    taintErrors(taint, `metadata.taints[${index}]`, isDuplicate[index] ?? false),
  );
}

function taintErrors(
  { key, value = "", effect, timeAdded }: Taint,
  field: string,
  isDuplicate: boolean,
): FieldError[] {
  const printed = new GoStruct({ Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null });
  return [
    ...qualifiedNameProblems(key).map((problem) => invalid(`${field}.key`, key, problem)),
    ...(effects.includes(effect) ? [] : [notSupported(`${field}.effect`, effect, effects)]),
    ...(isDuplicate
      ? [{ ...duplicate(field, printed), detail: "taints must be unique by key and effect pair" }]
      : []),
  ];
}

/** Returns an error if a field that can be set only once is changed. */
function setOnceErrors(
  value: string | undefined,
  before: string | undefined,
  name: "podCIDR" | "providerID",
): FieldError[] {
  if (!before || value === before) return [];
  const field = name === "podCIDR" ? "spec.podCIDRs" : "spec.providerID";
  return [forbidden(field, `node updates may not change ${name} except from "" to valid`)];
}
