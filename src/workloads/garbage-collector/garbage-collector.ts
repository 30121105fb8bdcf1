import { apiVersionOf, type Kind, kindName, metadataOnly, type PartialObject } from "../../api/index.ts";
import { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import { asError, BoundedMap, type Clock, deferred, onAbort, untilAborted } from "../../base/index.ts";
import { type Informer, informers, releaseEvent } from "../../cache/index.ts";
import type { Runnable, RunnableContext } from "../../manager/index.ts";
import { perKeyBackoff, WorkQueue } from "../../queue/index.ts";
import { type Collector, collect, isOrdinary } from "./collect.ts";
import { DependencyGraph, type GraphNode, isSeen } from "./dependency-graph.ts";

/**
 * Deletes objects whose owners are all gone, in the background, in the foreground (dependents first) or not at all
 * (orphans), for all kinds that the server serves.
 *
 * It is a runnable, not a controller, because it watches every kind: the metadata of all objects is in its graph.
 */
export function garbageCollector({ clock }: { readonly clock: Clock }): Runnable {
  return { name: "garbage-collector", run: (context) => new GarbageCollection(context, clock).run() };
}

interface Watched {
  readonly kind: Kind;
  readonly informer: Informer<PartialObject>;
}

class GarbageCollection {
  readonly #context: RunnableContext;
  readonly #clock: Clock;
  /** Uids of objects to check. */
  readonly #queue: WorkQueue;
  readonly #graph: DependencyGraph;
  readonly #collector: Collector;
  /** Resolves when all kinds are watched for the first time, or the program ends. */
  readonly #firstKinds = deferred<void>();
  /** The informers of all kinds that are watched, by the name of the kind. */
  readonly #watched = new Map<string, Watched>();

  constructor(context: RunnableContext, clock: Clock) {
    const { client, events } = context;
    this.#context = context;
    this.#clock = clock;
    this.#queue = new WorkQueue({ limiter: perKeyBackoff({ baseMs: 5, maxMs: 60_000 }), clock });
    this.#graph = new DependencyGraph(({ uid }) => this.#queue.add(uid));
    this.#collector = {
      client,
      events,
      graph: this.#graph,
      absent: new BoundedMap(500),
      undecided: new Set(),
    };
  }

  async run(): Promise<void> {
    const { client, signal, log } = this.#context;
    await using factory = informers({ client, name: "garbage-collector", clock: this.#clock, log });
    const definitions = factory.for(CustomResourceDefinition);
    const changes = new WorkQueue({ clock: this.#clock });
    definitions.on(() => changes.add("kinds"));
    changes.add("kinds");
    factory.start({ signal });
    onAbort(signal, () => this.#firstKinds.resolve());
    const watching = this.#followKinds(changes, factory);
    await this.#synced(factory);
    const workers = Array.from({ length: 20 }, () => this.#work());
    await untilAborted(signal);
    await Promise.all([changes.close(), this.#queue.close()]);
    await Promise.all([watching, ...workers]);
  }

  /** Watches the kinds that the server serves, again after each change of a CustomResourceDefinition. */
  async #followKinds(changes: WorkQueue, factory: ReturnType<typeof informers>): Promise<void> {
    for await (using lease of changes) {
      try {
        await this.#watchKinds(factory);
      } catch (error) {
        this.#context.log.debug("kinds not discovered", { error: asError(error) });
        changes.retry(lease.key);
      }
    }
  }

  async #watchKinds(factory: ReturnType<typeof informers>): Promise<void> {
    const { client, signal } = this.#context;
    const { kinds } = await client.discover({ signal });
    const collected = new Map<string, Kind>();
    for (const { kind, verbs } of kinds) {
      const resource = `${kind.group}/${kind.plural}`;
      if (ignored.has(resource) || !["delete", "list", "watch"].every((verb) => verbs.includes(verb)))
        continue;
      if (!collected.has(resource)) collected.set(resource, kind); // the first version is the preferred one
    }
    const wanted = new Map(Array.from(collected.values(), (kind) => [kindName(kind), kind]));
    for (const [name, kind] of wanted) if (!this.#watched.has(name)) this.#watch(factory, name, kind);
    for (const [name, watched] of this.#watched) if (!wanted.has(name)) await this.#unwatch(name, watched);
    factory.start({ signal });
    this.#firstKinds.resolve();
    this.#checkUndecided();
  }

  /** Checks the objects again that were kept because the kind of an owner was not served. */
  #checkUndecided(): void {
    const { undecided } = this.#collector;
    for (const uid of undecided) this.#queue.add(uid);
    undecided.clear();
  }

  #watch(factory: ReturnType<typeof informers>, name: string, kind: Kind): void {
    const informer = factory.for(metadataOnly(kind));
    const apiVersion = apiVersionOf(kind);
    this.#watched.set(name, { kind, informer });
    informer.on((event) => {
      if (event.type === "deleted") this.#graph.remove(event.metadata.uid);
      else this.#graph.put(kind, apiVersion, event.metadata);
      releaseEvent(event);
    });
  }

  async #unwatch(name: string, { kind, informer }: Watched): Promise<void> {
    this.#watched.delete(name);
    await informer.close();
    const definition = `${kind.plural}.${kind.group}`;
    const current = await this.#context.client.get(CustomResourceDefinition, definition);
    if (current) this.#graph.forget(name);
    else this.#graph.removeKind(name);
  }

  /** Waits for the objects that exist, because an owner that was not seen yet looks like one that does not exist. */
  async #synced(factory: ReturnType<typeof informers>): Promise<void> {
    await this.#firstKinds.promise;
    await factory.synced.catch((error: unknown) => {
      if (!this.#context.signal.aborted)
        this.#context.log.warn("garbage collector not synced", { error: asError(error) });
    });
  }

  /** Returns true if the graph shows that the object stays, so that the server need not be asked. */
  #isKept(node: GraphNode): boolean {
    return !node.terminating && this.#graph.hasLiveOwners(node);
  }

  async #work(): Promise<void> {
    for await (using lease of this.#queue) {
      const node = this.#graph.node(lease.key);
      try {
        if (node && isSeen(node) && !this.#isKept(node)) await collect(node, this.#collector);
        this.#queue.forget(lease.key);
      } catch (error) {
        if (this.#context.signal.aborted) return;
        this.#queue.retry(lease.key);
        if (!isOrdinary(error))
          this.#context.log.warn("garbage not collected", { uid: lease.key, error: asError(error) });
      }
    }
  }
}

/** Events own nothing and are owned by nothing, and there are many. */
const ignored: ReadonlySet<string> = new Set(["/events", "events.k8s.io/events"]);
