import { Deployment } from "trimtab/api/apps/v1";
import { Event } from "trimtab/api/events/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";
import { Foo } from "./foo.ts";

/** Shows the behaviour of every controller of Foos. */
export async function tour(guide: Part): Promise<void> {
  await createFoo(guide);
  await changeByHand(guide);
  await scaleFoo(guide);
  await becomeAvailable(guide);
  await requestTakenDeployment(guide);
}

export const goOn: readonly string[] = [
  "kubectl get foos,deployments",
  "kubectl describe foo greedy-foo",
  "kubectl scale deployment web --replicas 9      # the controller scales it back",
  `kubectl patch foo example-foo --type merge --patch '{"spec":{"replicas":4}}'`,
];

async function createFoo(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> create the Foo example-foo, which wants the Deployment web with 1 replica");
  const spec = { deploymentName: "web", replicas: 1 };
  await client.create(Foo, { metadata: { name: "example-foo" }, spec });
  const web = await until(guide, Deployment, { name: "web", holds: () => true });
  const [owner] = web.metadata.ownerReferences ?? [];
  say(
    `  the Deployment web exists with ${web.spec.replicas} replica, controlled by ${owner?.kind} ${owner?.name}`,
  );
  await until(guide, Foo, { name: "example-foo", holds: ({ status }) => status !== undefined });
}

async function changeByHand(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> scale the Deployment to 5 by hand");
  const { metadata } = await client.patch(Deployment, "web", { merge: { spec: { replicas: 5 } } });
  const holds = (web: Deployment) => web.spec.replicas === 1 && web.metadata.uid === metadata.uid;
  const web = await until(guide, Deployment, { name: "web", holds });
  say(`  the controller scales it back to ${web.spec.replicas} replica`);
  say("> delete the Deployment by hand");
  await client.delete(Deployment, "web");
  const again = (next: Deployment) => next.metadata.uid !== metadata.uid;
  await until(guide, Deployment, { name: "web", holds: again });
  say("  the controller creates it again");
}

async function scaleFoo(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> set the Foo to 3 replicas");
  await client.patch(Foo, "example-foo", { merge: { spec: { replicas: 3 } } });
  const web = await until(guide, Deployment, { name: "web", holds: ({ spec }) => spec.replicas === 3 });
  say(`  the Deployment is scaled to ${web.spec.replicas} replicas`);
}

/** Sets the status as a kubelet would. No kubelet runs here. */
async function becomeAvailable(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> set 2 of them to available");
  await client.patch(
    Deployment,
    "web",
    { merge: { status: { replicas: 3, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 2 } } },
    { subresource: "status" },
  );
  const holds = ({ status }: Foo) => status?.availableReplicas === 2;
  const foo = await until(guide, Foo, { name: "example-foo", holds });
  say(`  the status of the Foo has ${foo.status?.availableReplicas} available replicas`);
}

async function requestTakenDeployment(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> create the Deployment taken without an owner, and a Foo that wants it");
  const labels = { app: "taken" };
  await client.create(Deployment, {
    metadata: { name: "taken" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } },
    },
  });
  await client.create(Foo, {
    metadata: { name: "greedy-foo" },
    spec: { deploymentName: "taken", replicas: 2 },
  });
  const event = await until(guide, Event, { holds: ({ reason }) => reason === "ErrResourceExists" });
  say(`  the Deployment is unchanged, and ${event.regarding?.name} has an event: ${event.note}`);
}
