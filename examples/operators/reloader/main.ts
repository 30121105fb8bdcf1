// Runs the operator that reloads Deployments until Ctrl-C.
import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap } from "trimtab/api/core/v1";
import { managed, type Part, perform } from "../../perform.ts";
import { until } from "../../until.ts";
import { reload, reloader } from "./reloader.ts";

async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  const hashOf = ({ spec }: Deployment): string | undefined =>
    Object.values(spec.template.metadata?.annotations ?? {})[0];
  say("> create the ConfigMap config, and the Deployment web that uses it");
  await client.create(ConfigMap, { metadata: { name: "config" }, data: { color: "red" } });
  const labels = { app: "web" };
  const container = { name: "web", image: "nginx:1.29", envFrom: [{ configMapRef: { name: "config" } }] };
  await client.create(Deployment, {
    metadata: { name: "web", annotations: { [reload]: "true" } },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
  const web = await until(guide, Deployment, { name: "web", holds: (each) => hashOf(each) !== undefined });
  say("  its Pods have the hash of the ConfigMap as an annotation");

  say("> change the ConfigMap");
  await client.patch(ConfigMap, "config", { merge: { data: { color: "blue" } } });
  await until(guide, Deployment, { name: "web", holds: (each) => hashOf(each) !== hashOf(web) });
  say("  the annotation has changed, which replaces the Pods");
}

const kubectl = [
  `kubectl patch configmap config --type merge --patch '{"data":{"color":"green"}}'`,
  "kubectl describe deployment web",
];
await perform({ title: "An operator that reloads Deployments", run: managed([reloader]), tour, kubectl });
