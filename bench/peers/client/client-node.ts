import { givenArguments } from "../probe.ts";
import { type ClientPeer, type PodLike, podKey, runClientCase } from "./client-case.ts";

/** @kubernetes/client-node, at the URL `--package`, used as in its own examples. */
await runClientCase(async ({ kubeconfig }): Promise<ClientPeer> => {
  const name = givenArguments().package ?? "";
  // The package's own types take seconds to check, so this is the part used here.
  const k8s = (await import(name)) as ClientNode;
  const config = new k8s.KubeConfig();
  config.loadFromFile(kubeconfig);
  const api = config.makeApiClient(k8s.CoreV1Api);
  const mergePatch = k8s.setHeaderOptions("Content-Type", k8s.PatchStrategy.MergePatch);

  return {
    get: (key) => api.readNamespacedPod(key),
    patchStatus: (key, body) => api.patchNamespacedPodStatus({ ...key, body }, mergePatch),
    list: (limit) => list(api, limit),
    watch: watchPods,
    watchKeys: (resourceVersion, seen) => watchPods(resourceVersion, (pod) => seen(podKey(pod))),
  };

  function watchPods(resourceVersion: string, seen: (pod: PodLike) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const query = { resourceVersion };
      const each = (_: string, pod: PodLike) => {
        if (seen(pod)) resolve();
      };
      new k8s.Watch(config).watch("/api/v1/pods", query, each, reject).catch(reject);
    });
  }
});

async function list(api: CoreV1Api, limit: number): Promise<PodLike[]> {
  const all: PodLike[] = [];
  let _continue: string | undefined;
  do {
    const page = await api.listPodForAllNamespaces(limit === 0 ? {} : { limit, _continue });
    all.push(...page.items);
    _continue = page.metadata?._continue;
  } while (_continue);
  return all;
}

interface ClientNode {
  readonly KubeConfig: new () => {
    loadFromFile(path: string): void;
    makeApiClient(type: unknown): CoreV1Api;
  };
  readonly CoreV1Api: unknown;
  readonly PatchStrategy: { readonly MergePatch: string };
  readonly setHeaderOptions: (name: string, value: string) => object;
  readonly Watch: new (
    config: object,
  ) => {
    watch(
      path: string,
      query: object,
      each: (type: string, pod: PodLike) => void,
      done: (error: unknown) => void,
    ): Promise<unknown>;
  };
}

interface CoreV1Api {
  readNamespacedPod(key: object): Promise<PodLike>;
  patchNamespacedPodStatus(request: object, options: object): Promise<PodLike>;
  listPodForAllNamespaces(
    query: object,
  ): Promise<{ items: PodLike[]; metadata?: { _continue?: string | undefined } }>;
}
