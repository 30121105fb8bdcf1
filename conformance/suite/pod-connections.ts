import { Pod } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { type Refusal, refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

/** Creates a Pod with these containers, which no scheduler assigns to a node. */
function pod(client: Client, name: string, containers: readonly string[]): Promise<Pod> {
  return client.create(Pod, {
    metadata: { name },
    spec: {
      schedulerName: "none",
      initContainers: [{ name: "init", image: "none" }],
      containers: containers.map((each) => ({ name: each, image: "none" })),
    },
  });
}

/** Returns the errors of a command and of attaching to a container. */
async function refusals(client: Client, name: string, container?: string): Promise<unknown> {
  const options = container === undefined ? {} : { container };
  const answers = [client.exec(name, ["cat"], options), client.attach(name, options)];
  return Promise.all(answers.map(refusal));
}

function twice(error: Refusal): readonly Refusal[] {
  return [error, error];
}

function badRequest(message: string): readonly Refusal[] {
  return twice({ code: 400, reason: "BadRequest", message });
}

scenario("a connection to a missing Pod is not found", async ({ client, expect }) => {
  const details = { name: "absent", kind: "pods" };
  const message = 'pods "absent" not found';
  expect(await refusals(client, "absent")).toEqual(
    twice({ code: 404, reason: "NotFound", message, details }),
  );
});

scenario(
  "a connection to a Pod needs one of its containers, and so does its log",
  async ({ client, namespace, expect }) => {
    await pod(client, "two", ["web", "side"]);
    const unchosen = "a container name must be specified for pod two, choose one of: [init web side]";
    expect(await refusals(client, "two")).toEqual(badRequest(unchosen));
    expect(await refusals(client, "two", "absent")).toEqual(
      badRequest("container absent is not valid for pod two"),
    );
    const log = await wire(client, `GET /api/v1/namespaces/${namespace}/pods/two/log`);
    expect(statusMessage(log)).toEqual([400, unchosen]);
  },
);

scenario("a connection to a Pod needs a node", async ({ client, expect }) => {
  await pod(client, "one", ["web"]);
  const unassigned = badRequest("pod one does not have a host assigned");
  expect(await refusals(client, "one")).toEqual(unassigned);
  expect(await refusals(client, "one", "init")).toEqual(unassigned);
});
