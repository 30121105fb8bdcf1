import type { Node, NodeSpec, Taint } from "../../api/types/core/v1.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  GoStruct,
  invalid,
  notSupported,
} from "../../schema/index.ts";
import { qualifiedNameFaults } from "../name-rules.ts";
import { repeats } from "../repeats.ts";
import { cidrErrors } from "./address-errors.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

export const nodes: readonly KindEntry[] = [
  entry<Node>("/Node", {
    keepsStatusOnCreate: true,
    default({ spec, status }) {
      if (spec) matchPodRanges(spec);
      if (status?.capacity) status.allocatable ??= { ...status.capacity };
    },
    prepareCreate(node) {
      node.spec ??= {};
      taintUntilReady(node.spec);
    },
    validate: ({ spec = {} }) => [
      ...taintListErrors(spec.taints ?? []),
      ...(spec.podCIDRs ?? []).flatMap((cidr, at) => cidrErrors(cidr, `spec.podCIDRs[${at}]`)),
    ],
    validateUpdate: ({ spec = {} }, { spec: before = {} }) => [
      ...onceErrors(spec.podCIDR, before.podCIDR, "podCIDR"),
      ...onceErrors(spec.providerID, before.providerID, "providerID"),
    ],
    fields: { "spec.unschedulable": ({ spec }) => String(spec?.unschedulable ?? false) },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

/** The range of its Pods' addresses stands in two fields, of which the older one is right. */
function matchPodRanges(spec: NodeSpec): void {
  const [first] = spec.podCIDRs ?? [];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first) spec.podCIDR = first;
}

/** Nothing is scheduled to a new Node until somebody has seen it ready. */
function taintUntilReady(spec: NodeSpec): void {
  const key = "node.kubernetes.io/not-ready";
  spec.taints ??= [];
  const { taints } = spec;
  if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
  taints.push({ key, effect: "NoSchedule" });
}

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function taintListErrors(taints: readonly Taint[]): FieldError[] {
  const again = repeats(taints, ({ key, effect }) => JSON.stringify([key, effect]));
  return taints.flatMap((taint, at) => taintErrors(taint, `metadata.taints[${at}]`, again[at] ?? false));
}

function taintErrors(
  { key, value = "", effect, timeAdded }: Taint,
  field: string,
  twice: boolean,
): FieldError[] {
  const shown = new GoStruct({ Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null });
  return [
    ...qualifiedNameFaults(key).map((fault) => invalid(`${field}.key`, key, fault)),
    ...(effects.includes(effect) ? [] : [notSupported(`${field}.effect`, effect, effects)]),
    ...(twice
      ? [{ ...duplicate(field, shown), detail: "taints must be unique by key and effect pair" }]
      : []),
  ];
}

/** A Node is told these once, and never anything else. */
function onceErrors(
  now: string | undefined,
  before: string | undefined,
  name: "podCIDR" | "providerID",
): FieldError[] {
  if (!before || now === before) return [];
  const field = name === "podCIDR" ? "spec.podCIDRs" : "spec.providerID";
  return [forbidden(field, `node updates may not change ${name} except from "" to valid`)];
}
