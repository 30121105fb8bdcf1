import { type Frozen, parseQuantity } from "../../api/index.ts";
import type { Container } from "../../api/types/core/v1.ts";
import type { PodView } from "../pods/pod-state.ts";

/** Amounts of resources in billionths, by name. */
export type Amounts = ReadonlyMap<string, bigint>;

/**
 * Returns what a Pod needs of its node: the sum of its containers and sidecars, or that of an init container and the
 * sidecars before it if it is more; requests of the Pod itself instead of those; and its overhead.
 */
export function requestsOf({ spec }: PodView): Amounts {
  const total = new Map<string, bigint>();
  for (const { resources } of spec.containers) add(total, resources?.requests);
  for (const { resources } of (spec.initContainers ?? []).filter(isSidecar)) add(total, resources?.requests);
  for (const [name, amount] of initRequests(spec.initContainers)) {
    if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
  }
  for (const [name, amount] of amountsOf(spec.resources?.requests)) total.set(name, amount);
  add(total, spec.overhead);
  return total;
}

/** Returns the most that is needed of each resource while the init containers run, one after another. */
function initRequests(containers: readonly Frozen<Container>[] = []): Amounts {
  const sidecars = new Map<string, bigint>();
  const most = new Map<string, bigint>();
  for (const container of containers) {
    const needed = new Map(sidecars);
    add(needed, container.resources?.requests);
    for (const [name, amount] of needed) if (amount > (most.get(name) ?? 0n)) most.set(name, amount);
    if (isSidecar(container)) add(sidecars, container.resources?.requests);
  }
  return most;
}

function isSidecar({ restartPolicy }: Frozen<Container>): boolean {
  return restartPolicy === "Always";
}

function add(total: Map<string, bigint>, quantities: Readonly<Record<string, string>> | undefined): void {
  for (const [name, amount] of amountsOf(quantities)) total.set(name, (total.get(name) ?? 0n) + amount);
}

export function amountsOf(quantities: Readonly<Record<string, string>> | undefined): [string, bigint][] {
  return Object.entries(quantities ?? {}).map(([name, quantity]) => [name, parseQuantity(quantity).nano]);
}
