import { type LabelSelector, selectorMatcher } from "../../api/index.ts";
import type { Pod } from "../../api/types/core/v1.ts";
import type { Eviction, PodDisruptionBudget } from "../../api/types/policy/v1.ts";
import { TimeSlice, timestamp } from "../../base/index.ts";
import { storedObject, versionObject } from "../codec/object-text.ts";
import type { StoredEntry } from "../storage/storage.ts";
import { badRequest, internal, tooManyRequests } from "../types/status-error.ts";
import { checkPreconditions, deleteAdmitted } from "./delete.ts";
import type { DeleteOptions } from "./delete-options.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import { replaceStored } from "./guaranteed-update.ts";
import { sentObject } from "./sent-object.ts";
import { createdStatus, type ValueResult } from "./verb-result.ts";

/** Handles POST of a Pod's eviction: deletes the Pod if its PodDisruptionBudget allows it. */
export async function evictPod(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, options, validate } = await sentObject<Eviction>(engine, call);
  if (object.metadata.name && object.metadata.name !== call.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  await validate();
  const stored = find(engine, call);
  const pod = storedObject(call.resource, stored) as Pod; // Pods are stored under this key
  const { dryRun: dryRuns = [], ...deleteOptions } = object.deleteOptions ?? {};
  const dryRun = options.dryRun || dryRuns.length > 0;
  if (!isTerminal(pod)) takeDisruption(engine, pod, { dryRun });
  const deletion = { ...(deleteOptions as Omit<DeleteOptions, "dryRun">), dryRun };
  const before = versionObject(call.resource, stored);
  checkPreconditions(call, before, deletion);
  const pods = { ...call, subresource: undefined };
  await new TimeSlice(engine.clock).run(deleteAdmitted(engine, pods, { stored, before, options: deletion }));
  return createdStatus();
}

/** Returns true if the Pod can be deleted without a disruption: it does not run, or is already terminating. */
function isTerminal({ metadata, status }: Pod): boolean {
  const { phase } = status ?? {};
  return (
    phase === "Succeeded" ||
    phase === "Failed" ||
    phase === "Pending" ||
    metadata.deletionTimestamp !== undefined
  );
}

/** Takes a disruption from the PodDisruptionBudget of the Pod, if it has one. */
function takeDisruption(engine: Engine, pod: Pod, { dryRun }: { readonly dryRun: boolean }): void {
  const [first, ...more] = budgetsOf(engine, pod);
  if (!first) return;
  if (more.length > 0) {
    throw internal(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  checkBudget(first.budget);
  if (!dryRun) replaceStored(engine, first.stored, withDisruption(engine, first.budget, pod));
}

interface FoundBudget {
  readonly stored: StoredEntry;
  readonly budget: PodDisruptionBudget;
}

function budgetsOf({ storage, registry }: Engine, { metadata }: Pod): FoundBudget[] {
  const resource = registry.get({ group: "policy", version: "v1", plural: "poddisruptionbudgets" });
  if (!resource) return [];
  const { items } = storage.list(`${resource.storagePrefix}${metadata.namespace}/`);
  const found = items.map((stored) => ({
    stored,
    budget: storedObject(resource, stored) as PodDisruptionBudget,
  }));
  return found.filter(({ budget }) =>
    selectorMatcher(budget.spec?.selector as LabelSelector | undefined).matches(metadata.labels),
  );
}

const violation = "Cannot evict pod as it would violate the pod's disruption budget.";

function checkBudget({ metadata, status }: PodDisruptionBudget): void {
  const { name, generation = 0 } = metadata;
  if ((status?.observedGeneration ?? 0) < generation) {
    const message = `The disruption budget ${name} is still being processed by the server.`;
    throw tooManyRequests(violation, {
      causes: [{ reason: "DisruptionBudget", message }],
      retryAfterSeconds: 10,
    });
  }
  if ((status?.disruptionsAllowed ?? 0) > 0) return;
  const needs = `needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently`;
  throw tooManyRequests(violation, {
    causes: [{ reason: "DisruptionBudget", message: `The disruption budget ${name} ${needs}` }],
  });
}

function withDisruption(
  { clock }: Engine,
  budget: PodDisruptionBudget,
  { metadata }: Pod,
): PodDisruptionBudget {
  const { status } = budget;
  if (!status) return budget;
  const disruptedPods = { ...status.disruptedPods, [metadata.name]: timestamp(clock.now()) };
  return {
    ...budget,
    status: { ...status, disruptionsAllowed: (status.disruptionsAllowed ?? 0) - 1, disruptedPods },
  };
}
