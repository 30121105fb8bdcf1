import { givenArguments } from "../probe.ts";
import { runInformerCase } from "./informer-case.ts";

const paths = { pods: "/api/v1/pods", websites: "/apis/bench.trimtab.dev/v1/websites" };

/**
 * @kubernetes/client-node's informer, at the URL `--package`, used as in its own examples.
 * It has no queue: the handler does the work at once.
 */
await runInformerCase(async ({ kubeconfig, resource, reads }) => {
  // The package's own types take seconds to check, so this is the part used here.
  const k8s = (await import(givenArguments().package ?? "")) as ClientNode;
  const config = new k8s.KubeConfig();
  config.loadFromFile(kubeconfig);
  const informer = k8s.makeInformer(config, paths[resource], lister(k8s, config, resource));
  return {
    async start(updated) {
      informer.on("update", ({ metadata }) => {
        if (reads && !informer.get(metadata.name, metadata.namespace))
          throw new Error(`expected ${metadata.name} in the cache`);
        updated(() => metadata.annotations?.["bench.trimtab.dev/sent-us"]);
      });
      informer.on("error", (error: unknown) => {
        process.stderr.write(`${error}\n`);
        process.exit(1);
      });
      await informer.start();
    },
    count: () => informer.list().length,
  };
});

/** Gives the informer its first list. */
function lister(k8s: ClientNode, config: Config, resource: keyof typeof paths): () => Promise<unknown> {
  if (resource === "pods") {
    const core = config.makeApiClient(k8s.CoreV1Api);
    return () => core.listPodForAllNamespaces();
  }
  const custom = config.makeApiClient(k8s.CustomObjectsApi);
  return () =>
    custom.listCustomObjectForAllNamespaces({
      group: "bench.trimtab.dev",
      version: "v1",
      resourcePlural: "websites",
      plural: "websites",
    });
}

interface Config {
  loadFromFile(path: string): void;
  makeApiClient(type: unknown): Apis;
}

interface Apis {
  listPodForAllNamespaces(): Promise<unknown>;
  listCustomObjectForAllNamespaces(query: object): Promise<unknown>;
}

interface ClientNode {
  readonly KubeConfig: new () => Config;
  readonly CoreV1Api: unknown;
  readonly CustomObjectsApi: unknown;
  makeInformer(config: Config, path: string, list: () => Promise<unknown>): Informer;
}

interface Informer {
  on(event: "update" | "error", told: (object: NamedObject) => void): void;
  start(): Promise<void>;
  get(name: string, namespace: string): NamedObject | undefined;
  list(): readonly NamedObject[];
}

interface NamedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
}
