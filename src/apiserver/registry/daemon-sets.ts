import type { DaemonSet, DaemonSetSpec } from "../../api/types/apps/v1.ts";
import { equal, type FieldError, GoStruct, invalid, notSupported, required } from "../../schema/index.ts";
import { amountErrors, isZeroAmount } from "./amount-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { templateWarnings } from "./pod-warnings.ts";
import { isEmptySelector, selectorErrors } from "./selector-errors.ts";
import { alwaysRestartedErrors, matchErrors, templateLabels } from "./template-errors.ts";
import { countErrors, immutableErrors } from "./value-errors.ts";

/** The annotation that replaces `spec.templateGeneration` of older versions. */
const templateGeneration = "deprecated.daemonset.template.generation";

export const daemonSets: readonly KindEntry[] = [
  kindEntry<DaemonSet>("apps/DaemonSet", {
    generation: "spec",
    distinguishesEmpty: templateLabels,
    prepareCreate({ metadata }) {
      metadata.annotations = { ...metadata.annotations, [templateGeneration]: "1" };
    },
    prepareUpdate({ metadata, spec }, before) {
      const current = Number(before.metadata.annotations?.[templateGeneration] ?? 1);
      const next = equal(spec.template, before.spec.template) ? current : current + 1;
      metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(next) };
    },
    default({ metadata, spec }) {
      // kube-apiserver sets it before it computes managed fields, so that the client owns it.
      metadata.annotations = { [templateGeneration]: "0", ...metadata.annotations };
      spec.revisionHistoryLimit ??= 10;
      spec.updateStrategy ??= {};
      spec.updateStrategy.type ??= "RollingUpdate";
      if (spec.updateStrategy.type === "RollingUpdate") {
        spec.updateStrategy.rollingUpdate ??= {};
        spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
        spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
      }
      if (spec.template?.spec) defaultPodSpec(spec.template.spec);
    },
    validate: ({ spec }) => [
      ...daemonSetSelectorErrors(spec),
      ...alwaysRestartedErrors(spec, "DaemonSet"),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
      ...strategyErrors(spec.updateStrategy ?? {}),
      ...countErrors(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
    ],
    validateUpdate: ({ spec }, { spec: before }) =>
      equal(spec.selector, before.selector)
        ? []
        : immutableErrors("spec.selector", new GoStruct(spec.selector)),
    warnings: templateWarnings,
    validateStatus: ({ status }) =>
      counts.flatMap((count) => countErrors(status?.[count], `status.${count}`)),
  }),
];

const counts = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
] as const;

/** Returns the errors in the selector. Whether it is missing is checked with the template. */
function daemonSetSelectorErrors(spec: DaemonSetSpec): FieldError[] {
  const { selector } = spec;
  const syntaxErrors = selector ? selectorErrors(selector, "spec.selector") : [];
  return [
    ...syntaxErrors,
    ...(syntaxErrors.length === 0 ? matchErrors(spec) : []),
    ...(selector && isEmptySelector(selector)
      ? [invalid("spec.selector", new GoStruct(selector), "empty selector is invalid for daemonset")]
      : []),
  ];
}

function strategyErrors({ type, rollingUpdate }: NonNullable<DaemonSetSpec["updateStrategy"]>): FieldError[] {
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    const internal = rollingUpdate && {
      MaxUnavailable: rollingUpdate.maxUnavailable ?? null,
      MaxSurge: rollingUpdate.maxSurge ?? null,
    };
    const value = new GoStruct({ Type: type, RollingUpdate: internal ?? null });
    return [notSupported("spec.updateStrategy", value, ["RollingUpdate", "OnDelete"])];
  }
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
  const field = "spec.updateStrategy.rollingUpdate";
  return [
    ...amountErrors(maxUnavailable, `${field}.maxUnavailable`),
    ...amountErrors(maxSurge, `${field}.maxSurge`),
    ...rolloutErrors(isZeroAmount(maxUnavailable), isZeroAmount(maxSurge), field),
  ];
}

function rolloutErrors(noUnavailable: boolean, noSurge: boolean, field: string): FieldError[] {
  if (noUnavailable && noSurge)
    return [required(`${field}.maxUnavailable`, "cannot be 0 when maxSurge is 0")];
  if (noUnavailable || noSurge) return [];
  return [invalid(`${field}.maxSurge`, "", "may not be set when maxUnavailable is non-zero")];
}
