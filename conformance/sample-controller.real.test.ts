/**
 * This test drives `k8s.io/sample-controller`, built from its own module, on the embedded API server and on
 * kube-apiserver. It is skipped without Go or the server's programs.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type KubeObject, kind, type ManagedFieldsEntry, type New } from "../src/api/index.ts";
import { Deployment } from "../src/api/types/apps/v1.ts";
import { Event } from "../src/api/types/core/v1.ts";
import type { Client } from "../src/client/index.ts";
import { type Cluster, type CustomKind, MissingBinariesError, startCluster } from "../src/testing/index.ts";
import { CannotBuildHere, requireGo } from "./go.ts";
import { builtProgram, goProgram } from "./go-programs.ts";
import { managersOf, masked } from "./masked.ts";

const controller = goProgram("go-clients", {
  name: "sample-controller",
  package: "k8s.io/sample-controller",
});

interface Foo extends KubeObject {
  readonly spec: { readonly deploymentName: string; readonly replicas: number };
  readonly status?: { readonly availableReplicas: number };
}

const Foo = kind<Foo>({
  ...{ group: "samplecontroller.k8s.io", version: "v1alpha1", kind: "Foo" },
  ...{ plural: "foos", namespaced: true },
});

/** Reads a manifest of the controller's module, which Go downloads into its cache. */
function manifest(name: string): unknown {
  requireGo();
  const args = ["mod", "download", "-json", controller.package];
  const { Dir } = JSON.parse(execFileSync("go", args, { cwd: controller.module, encoding: "utf8" }));
  return parse(readFileSync(join(Dir, "artifacts/examples", name), "utf8"));
}

/** Runs the controller until it is disposed. */
function startController(program: string, { kubeconfig }: Cluster): AsyncDisposable {
  const child = spawn(program, ["-kubeconfig", kubeconfig], { stdio: "ignore" });
  const ended = once(child, "close");
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const withinMs = 60_000;

/** The objects of the story, in one namespace. */
class Story {
  readonly #cluster: Cluster;
  readonly #client: Client;
  /** The objects that were seen, masked. */
  readonly seen: unknown[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#client = cluster.client.inNamespace("default");
  }

  async create(draft: New<Foo>): Promise<void> {
    await this.#client.create(Foo, draft);
  }

  /** Waits for a Deployment of the controller, and records it and its Foo. Returns the Deployment's uid. */
  async deployment(name: string, holds: (deployment: Deployment) => boolean): Promise<string | undefined> {
    const found = await this.#cluster.eventually(
      async () => {
        const deployment = await this.#client.get(Deployment, name);
        expect(deployment && holds(deployment)).toBe(true);
        return deployment;
      },
      { withinMs },
    );
    this.#see(found);
    return found?.metadata.uid;
  }

  #see(object: KubeObject | undefined): void {
    this.seen.push(masked(object), object && managersInOrder(object));
  }

  async scale(name: string, replicas: number): Promise<void> {
    await this.#client.patch(Foo, name, { merge: { spec: { replicas } } });
  }

  /** Reports replicas as available, as the controller of Deployments does, and waits until the Foo has their number. */
  async available(name: string, availableReplicas: number): Promise<void> {
    const replicas = { replicas: availableReplicas, readyReplicas: availableReplicas, availableReplicas };
    await this.#client.patchStatus(Deployment, name, replicas);
    await this.#cluster.eventually(
      async () => {
        const foo = await this.#client.get(Foo, name);
        expect(foo?.status).toEqual({ availableReplicas });
        this.#see(foo);
      },
      { withinMs },
    );
  }

  async remove(name: string): Promise<void> {
    await this.#client.delete(Deployment, name);
  }

  /** Creates a Deployment without an owner. */
  async foreignDeployment(name: string): Promise<void> {
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "image:1" }] } };
    await this.#client.create(Deployment, {
      metadata: { name },
      spec: { selector: { matchLabels: labels }, template },
    });
  }

  /** Waits for an event about a Foo, and records it without its count, which depends on time. */
  async event(about: string, reason: string): Promise<void> {
    await this.#cluster.eventually(
      async () => {
        const fields = { "involvedObject.name": about, reason };
        const [first] = await this.#client.list(Event, { fields });
        expect(first).toBeDefined();
        if (first) this.seen.push(masked({ ...first, metadata: {}, count: 0 }));
      },
      { withinMs },
    );
  }
}

/** Returns the managed fields of an object by manager, with uids in keys masked: the server sorts them by time. */
function managersInOrder(object: KubeObject): unknown[] {
  const text = JSON.stringify(managersOf(object)).replaceAll(uid, "<uid>");
  const entries: ManagedFieldsEntry[] = JSON.parse(text);
  const order = ({ manager, subresource = "" }: ManagedFieldsEntry) => `${manager} ${subresource}`;
  return entries.sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function tell(program: string, engine: "binaries" | "embedded"): Promise<unknown[]> {
  // The manifest is checked by the server.
  const kinds = [manifest("crd-status-subresource.yaml") as CustomKind];
  const options = engine === "embedded" ? { engine, listen: true, kinds } : { engine, kinds };
  await using cluster = await startCluster(options);
  const story = new Story(cluster);
  const example = manifest("example-foo.yaml") as New<Foo>;
  const name = "example-foo";
  {
    await using _first = startController(program, cluster);
    await story.create(example);
    const uid = await story.deployment(name, () => true);
    await story.event(name, "Synced");
    await story.available(name, 1);
    await story.scale(name, 3);
    await story.deployment(name, ({ spec }) => spec.replicas === 3);
    await story.remove(name);
    await story.deployment(name, ({ metadata }) => metadata.uid !== uid);
    await story.foreignDeployment("foreign");
    await story.create({ metadata: { name: "second" }, spec: { deploymentName: "foreign", replicas: 1 } });
    await story.event("second", "ErrResourceExists");
  }
  await story.scale(name, 5);
  await using _second = startController(program, cluster);
  await story.deployment(name, ({ spec }) => spec.replicas === 5);
  return story.seen;
}

test("the sample controller of Kubernetes, unmodified, does the same on both servers", {
  timeout: 1_200_000,
}, async ({ skip }) => {
  try {
    const program = await builtProgram(controller);
    const real = await tell(program, "binaries");
    expect(real).toHaveLength(12);
    expect(await tell(program, "embedded")).toEqual(real);
  } catch (error) {
    if (error instanceof CannotBuildHere || error instanceof MissingBinariesError) skip(error.message);
    throw error;
  }
});
