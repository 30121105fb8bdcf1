import type { Kubeconfig } from "./kubeconfig.ts";

/** One of many: for each name the first file that has it gives the whole entry; so with the current context. */
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
