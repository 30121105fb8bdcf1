import { keyOf } from "trimtab";
import type { Frozen, KubeObject } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import { DeltaFifo, type Deltas, Indexer, type Lister, type Reflector, reflector } from "trimtab/cache";
import type { Client } from "trimtab/client";
import { WorkQueue } from "trimtab/queue";

/*
 * An informer from its parts, in the order of the walk through client-go's sharedIndexInformer:
 *
 *   API server ─▶ Reflector ─▶ DeltaFifo ─▶ processDeltas ─▶ Indexer ◀─ Lister ◀─ worker
 *                                                 │                                 ▲
 *                                                 └─▶ handlers ─▶ work queue ───────┘
 *
 * `informers({ client }).for(Pod)` is all of this in one call, with less memory and processor time.
 */

// 3. Informer

export interface InformerOptions {
  readonly client: Client;
  /** Handlers, which are called after the indexer has the change. */
  readonly processor: Processor<Pod>;
}

/** The members of an informer of Pods: an indexer, a controller with its queue and reflector, and a processor. */
export class PodInformer {
  /** 3.1 Indexer: a map from `namespace/name` to the object, with an index of the Pods of each node. */
  readonly indexer = new Indexer<Pod>({ node: ({ spec }) => (spec.nodeName ? [spec.nodeName] : []) });
  readonly controller: Controller<Pod>;

  constructor({ client, processor }: InformerOptions) {
    // 3.2.1.1 Queue: the changes that are not processed yet, by key. It asks the indexer what is known.
    const queue = new DeltaFifo<Pod>({ known: this.indexer });
    this.controller = new Controller({
      queue,
      // 3.2.1.2 ListerWatcher and 3.2.2 Reflector: they list and watch Pods, and add each change to the queue.
      reflector: reflector({ client, kind: Pod, sink: queue }),
      process: (key, deltas, { initial }) =>
        processDeltas({ key, deltas, initial, indexer: this.indexer, processor }),
    });
  }

  /** 4. Lister: the reads of the indexer. */
  get lister(): Lister<Pod> {
    return this.indexer;
  }
}

// 3.2 Controller

/** 3.2.1 Config: what the low-level controller ties together. */
export interface Config<T extends KubeObject> {
  readonly queue: DeltaFifo<T>;
  readonly reflector: Reflector;
  readonly process: Parameters<DeltaFifo<T>["pop"]>[0];
}

/** The low-level controller of an informer: it runs the reflector, and processes what it adds to the queue. */
export class Controller<T extends KubeObject> {
  readonly #config: Config<T>;

  constructor(config: Config<T>) {
    this.#config = config;
  }

  get hasSynced(): boolean {
    return this.#config.queue.hasSynced;
  }

  /** Resolves when the first list is in the indexer, and the handlers have it. */
  get synced(): Promise<void> {
    return this.#config.queue.synced;
  }

  /** 3.2.3 Run: ends when the signal aborts and all requests have ended. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { queue, reflector, process } = this.#config;
    const reflecting = reflector.run({ signal });
    while (await queue.pop(process, { signal }));
    queue.close();
    await reflecting;
  }
}

// ProcessFunc

interface Processing<T extends KubeObject> {
  readonly key: string;
  readonly deltas: Deltas<T>;
  readonly initial: boolean;
  readonly indexer: Indexer<T>;
  readonly processor: Processor<T>;
}

/**
 * Applies the deltas of one object, oldest first: to the indexer, then to the handlers. The indexer decides whether an
 * object is added or updated, because a list, a resync and an event may all repeat an object.
 */
function processDeltas<T extends KubeObject>(processing: Processing<T>): void {
  const { key, deltas, initial, indexer, processor } = processing;
  for (const { type, object } of deltas) {
    const old = indexer.get(key);
    if (type === "deleted") {
      indexer.delete(object);
      processor.onDelete(object);
    } else if (old) {
      indexer.update(object);
      processor.onUpdate(old, object);
    } else {
      indexer.add(object);
      processor.onAdd(object, initial);
    }
  }
}

// 3.3 Processor

/** Receives the changes of an informer. */
export interface ResourceEventHandler<T extends KubeObject> {
  /** @param initial true if the object is in the first list */
  onAdd(object: T, initial: boolean): void;
  onUpdate(old: T, object: T): void;
  onDelete(object: T): void;
}

/** Distributes each change to all handlers. */
export class Processor<T extends KubeObject> implements ResourceEventHandler<T> {
  readonly #handlers: readonly ResourceEventHandler<T>[];

  constructor(...handlers: readonly ResourceEventHandler<T>[]) {
    this.#handlers = handlers;
  }

  onAdd(object: T, initial: boolean): void {
    for (const handler of this.#handlers) handler.onAdd(object, initial);
  }

  onUpdate(old: T, object: T): void {
    for (const handler of this.#handlers) handler.onUpdate(old, object);
  }

  onDelete(object: T): void {
    for (const handler of this.#handlers) handler.onDelete(object);
  }
}

// 5. workQueue

export interface RunOptions {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Runs the informer, with one handler that prints changes, one that queues keys, and a worker. */
export async function runByHand(client: Client, { say, signal }: RunOptions): Promise<void> {
  const queue = new WorkQueue();
  const informer = new PodInformer({ client, processor: new Processor(printing(say), queueing(queue)) });
  const running = informer.controller.run({ signal });
  const synced = informer.controller.synced.then(
    () => say("caches synced, starting the worker"),
    () => {}, // aborted before
  );
  const working = synced.then(() => work(queue, informer, say));
  await running;
  await queue.close();
  await working;
}

function printing(say: RunOptions["say"]): ResourceEventHandler<Pod> {
  return {
    onAdd: (pod, initial) => say(`OnAdd ${keyOf(pod)}${initial ? ", in the first list" : ""}`),
    onUpdate: (old, pod) => say(`OnUpdate ${keyOf(pod)}: ${colorOf(old)} to ${colorOf(pod)}`),
    onDelete: (pod) => say(`OnDelete ${keyOf(pod)}`),
  };
}

function colorOf({ metadata }: Pick<Frozen<Pod>, "metadata">): string {
  return metadata.labels?.color ?? "no color";
}

function queueing(queue: WorkQueue): ResourceEventHandler<Pod> {
  const enqueue = (pod: Pod): void => void queue.add(keyOf(pod));
  return { onAdd: enqueue, onUpdate: (_, pod) => enqueue(pod), onDelete: enqueue };
}

/** Takes keys until the queue is closed, and reads the current Pod of each from the store. */
async function work(
  queue: WorkQueue,
  { lister, indexer }: PodInformer,
  say: RunOptions["say"],
): Promise<void> {
  for await (using lease of queue) {
    const pod = lister.view(lease.key);
    const { nodeName = "no node" } = pod?.spec ?? {};
    if (!pod || pod.metadata.deletionTimestamp) say(`Sync of Pod ${lease.key}: terminating or deleted`);
    else
      say(
        `Sync of Pod ${lease.key}: ${colorOf(pod)}, Pods on ${nodeName}: ${indexer.indexKeys("node", nodeName).length}`,
      );
    queue.forget(lease.key);
  }
}
