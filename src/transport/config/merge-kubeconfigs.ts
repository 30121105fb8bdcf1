import type { Kubeconfig } from "./kubeconfig.ts";

/** Merges kubeconfigs. Each entry, and the current context, comes completely from the first file that has it. */
export function mergeKubeconfigs(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  return {
    files: kubeconfigs.flatMap(({ files }) => files),
    currentContext: kubeconfigs.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
    clusters: firstOfEach(kubeconfigs.map(({ clusters }) => clusters)),
    users: firstOfEach(kubeconfigs.map(({ users }) => users)),
    contexts: firstOfEach(kubeconfigs.map(({ contexts }) => contexts)),
  };
}

function firstOfEach<T>(maps: ReadonlyArray<ReadonlyMap<string, T>>): Map<string, T> {
  const first = new Map<string, T>();
  for (const [name, value] of maps.flatMap((map) => [...map])) {
    if (!first.has(name)) first.set(name, value);
  }
  return first;
}
