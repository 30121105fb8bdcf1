import { type Frozen, parseQuantity } from "../../api/index.ts";
import type { Container } from "../../api/types/core/v1.ts";
import type { PodView } from "../pods/pod-state.ts";

/** Amounts of resources in billionths, by name. */
export type Amounts = ReadonlyMap<string, bigint>;

/**
 * Returns what a Pod needs of its node: the sum of its containers and sidecars, or the largest init container if that
 * needs more, and its overhead.
 */
export function requestsOf({ spec }: PodView): Amounts {
  const total = new Map<string, bigint>();
  for (const container of spec.containers) add(total, container);
  const { initContainers = [] } = spec;
  for (const sidecar of initContainers.filter(({ restartPolicy }) => restartPolicy === "Always"))
    add(total, sidecar);
  for (const container of initContainers) {
    for (const [name, amount] of amountsOf(container.resources?.requests)) {
      if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
    }
  }
  for (const [name, amount] of amountsOf(spec.overhead)) total.set(name, (total.get(name) ?? 0n) + amount);
  return total;
}

function add(total: Map<string, bigint>, { resources }: Frozen<Container>): void {
  for (const [name, amount] of amountsOf(resources?.requests))
    total.set(name, (total.get(name) ?? 0n) + amount);
}

export function amountsOf(quantities: Readonly<Record<string, string>> | undefined): [string, bigint][] {
  return Object.entries(quantities ?? {}).map(([name, quantity]) => [name, parseQuantity(quantity).nano]);
}
