import { timestamp, uuid } from "../base/index.ts";
import type { Engine } from "./engine.ts";
import { namespacePrefix } from "./namespaces.ts";

/** What is there before anybody asks for anything. */
export function bootstrap(engine: Engine): void {
  for (const name of ["kube-system", "kube-public", "kube-node-lease", "default"])
    makeNamespace(engine, name);
}

function makeNamespace({ storage, clock, rng }: Engine, name: string): void {
  if (storage.get(namespacePrefix + name)) return;
  const json = JSON.stringify({
    kind: "Namespace",
    apiVersion: "v1",
    metadata: {
      name,
      uid: uuid(rng),
      creationTimestamp: timestamp(clock.now()),
      labels: { "kubernetes.io/metadata.name": name },
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
  storage.put(namespacePrefix + name, { expected: 0, json });
}
