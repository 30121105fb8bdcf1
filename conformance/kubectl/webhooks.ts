/**
 * Serves the webhooks of a transcript in the namespace of the kubeconfig until SIGTERM, and removes their registration
 * then. It prints "ready" when the API server calls them.
 */
import { shutdownSignal } from "trimtab";
import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Secret } from "trimtab/api/core/v1";
import { startCluster } from "trimtab/testing";
import { Denied, webhook } from "trimtab/webhook";

const signal = shutdownSignal();
await using cluster = await startCluster({ engine: "existing" });
const { namespace } = cluster.client;
const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };

/** Throws a `Denied` with each field that should be a number and is none. */
function checkNumbers(data: Readonly<Record<string, string>>): void {
  const wrong = ["size", "weight"].filter((name) => Number.isNaN(Number(data[name] ?? "0")));
  if (wrong.length === 0) return;
  throw new Denied(
    wrong.map((name) => ({ field: `data.${name}`, message: `must be a number, got "${data[name]}"` })),
  );
}

const maps = webhook(ConfigMap, {
  name: "maps.example.dev",
  namespaceSelector,
  default({ data = {} }) {
    if (data.size !== undefined) data.color ??= "green";
  },
  validate({ object: { data = {} }, previous, warn }) {
    if (data.colour !== undefined) warn("data.colour: use color");
    if (data.bug !== undefined) throw new TypeError("cannot read the bug");
    if (data.shape === "round") throw new Denied("must have corners", { field: "data.shape", code: 422 });
    checkNumbers(data);
    if (previous?.data?.size !== undefined && previous.data.size !== data.size) {
      throw new Denied("is immutable", { field: "data.size" });
    }
  },
  validateDelete({ previous }) {
    if (previous.data?.keep === "true") throw new Denied("set data.keep to false first");
  },
});

const scales = webhook(Deployment, {
  name: "scales.example.dev",
  subresource: "scale",
  namespaceSelector,
  validate({ object }) {
    if ((object.spec?.replicas ?? 0) > 3) {
      throw new Denied("must be at most 3", { field: "spec.replicas" });
    }
  },
});

const secrets = webhook(Secret, {
  name: "secrets.example.dev",
  timeoutSeconds: 1,
  namespaceSelector,
  validate: () => new Promise(() => {}),
});

await cluster.run({ controllers: [], webhooks: [maps, scales, secrets] });
console.log("ready");
await new Promise((resolve) => signal.addEventListener("abort", resolve));
