import { once } from "node:events";
import { type EventRecorder, keyOf } from "trimtab";
import { apiVersionOf, controllerOf, isControlledBy, type KubeObject, type New } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import type { Informer, Subscription } from "trimtab/cache";
import type { Client } from "trimtab/client";
import { maxOf, perKeyBackoff, tokenBucket, WorkQueue } from "trimtab/queue";
import { Foo } from "../foo/foo.ts";

export interface ControllerOptions {
  readonly client: Client;
  readonly foos: Informer<Foo>;
  readonly deployments: Informer<Deployment>;
  readonly events: EventRecorder;
  readonly say: (line: string) => void;
}

export interface RunOptions {
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Called when the workers have started. Every existing object is queued then. */
  readonly onStarted?: (() => void) | undefined;
}

/** Keeps the Deployment that each Foo names at the Foo's replicas, and the Foo's status at the available replicas. */
export class Controller {
  readonly #client: Client;
  readonly #foos: Informer<Foo>;
  readonly #deployments: Informer<Deployment>;
  readonly #events: EventRecorder;
  readonly #say: (line: string) => void;
  readonly #handlers: readonly Subscription[];
  /** Keys of Foos. The queue makes sure that a Foo is processed by one worker at a time. */
  readonly #queue = new WorkQueue({
    name: "Foos",
    limiter: maxOf(
      perKeyBackoff({ baseMs: 5, maxMs: 1_000_000 }),
      tokenBucket({ perSecond: 50, burst: 300 }),
    ),
  });

  constructor({ client, foos, deployments, events, say }: ControllerOptions) {
    this.#client = client;
    this.#foos = foos;
    this.#deployments = deployments;
    this.#events = events;
    this.#say = say;
    this.#handlers = [
      // A deleted Foo needs no work: garbage collection deletes the Deployment that it owned.
      foos.on((event) => event.type !== "deleted" && this.#queue.add(event.key)),
      // A resync repeats known objects. A missed delete arrives with the last known object, as any other delete.
      deployments.on((event) => (event.type === "updated" && event.resync) || this.#handle(event.object)),
    ];
  }

  /** Runs until aborted, and resolves when every queued key has been processed. */
  async run({ workers, signal, onStarted }: RunOptions): Promise<void> {
    await Promise.all(this.#handlers.map((handler) => handler.synced));
    this.#say(`caches synced, starting ${workers} workers`);
    const working = Array.from({ length: workers }, () => this.#work());
    onStarted?.();
    if (!signal.aborted) await once(signal, "abort");
    await this.#queue.close();
    await Promise.all(working);
    this.#say("workers stopped");
  }

  /** Queues the Foo that controls the object, if any. */
  #handle(object: KubeObject): void {
    const owner = controllerOf(object);
    if (owner?.kind !== Foo.kind || owner.apiVersion !== apiVersionOf(Foo)) return;
    const foo = this.#foos.lister.view({ namespace: object.metadata.namespace, name: owner.name });
    if (foo?.metadata.uid === owner.uid) this.#queue.add(keyOf(foo));
  }

  async #work(): Promise<void> {
    for await (using lease of this.#queue) {
      try {
        await this.#sync(lease.key);
        this.#queue.forget(lease.key);
      } catch (error) {
        this.#queue.retry(lease.key);
        this.#say(`error syncing ${lease.key}, requeuing: ${error instanceof Error ? error.message : error}`);
      }
    }
  }

  /** Compares the desired state with the current state and changes it where they differ. */
  async #sync(key: string): Promise<void> {
    const foo = this.#foos.lister.get(key);
    if (!foo) return this.#say(`foo ${key} in work queue no longer exists`);
    const target = { namespace: foo.metadata.namespace, name: foo.spec.deploymentName };

    let deployment = this.#deployments.lister.get(target) ?? (await this.#create(foo));
    if (!isControlledBy(deployment, foo)) {
      const text = `Resource "${deployment.metadata.name}" already exists and is not managed by Foo`;
      this.#events.warning(foo, "ErrResourceExists", text);
      throw new Error(text);
    }
    if (deployment.spec.replicas !== foo.spec.replicas) deployment = await this.#scale(deployment, foo);

    const availableReplicas = deployment.status?.availableReplicas ?? 0;
    if (foo.status?.availableReplicas !== availableReplicas) {
      await this.#client.applyStatus(Foo, foo, { availableReplicas });
    }
    this.#events.normal(foo, "Synced", "Foo synced successfully");
  }

  async #create(foo: Foo): Promise<Deployment> {
    const deployment = await this.#client.create(Deployment, deploymentFor(foo), { owner: foo });
    this.#say(`created Deployment ${keyOf(deployment)}`);
    return deployment;
  }

  async #scale(deployment: Deployment, { spec: { replicas } }: Foo): Promise<Deployment> {
    const spec = { ...deployment.spec, replicas };
    this.#say(`scale Deployment ${keyOf(deployment)} from ${deployment.spec.replicas} to ${replicas}`);
    return this.#client.update(Deployment, { ...deployment, spec });
  }
}

function deploymentFor({ metadata, spec }: Foo): New<Deployment> {
  const labels = { app: "nginx", controller: metadata.name };
  return {
    metadata: { name: spec.deploymentName, namespace: metadata.namespace },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:latest" }] } },
    },
  };
}
