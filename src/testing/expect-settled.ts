import { type AnyKind, type KubeObject, keyOf, kindName } from "../api/index.ts";
import { settled } from "../base/index.ts";
import type { Client, ListOptions } from "../client/index.ts";
import { type Controller, DeclaredCache } from "../controller/index.ts";
import type { Manager } from "../manager/index.ts";
import { declaredKinds } from "./missing-kinds.ts";
import type { ReconcileFailures } from "./reconcile-failures.ts";
import type { RecordedWrites } from "./recorded-writes.ts";

export interface SettledOptions {
  readonly running: Manager;
  readonly controllers: readonly Controller[];
  readonly client: Client;
  /** Namespaces that the manager watches; `undefined` if it watches all. */
  readonly namespaces: readonly string[] | undefined;
  readonly recorded: RecordedWrites;
  readonly failures: ReconcileFailures;
}

/**
 * Throws unless the controllers have settled: no reconcile or write is in progress, no key waits for a retry, the
 * caches equal the server's objects, and none of this changes during the check.
 */
export async function expectSettled(options: SettledOptions): Promise<void> {
  const { recorded, client } = options;
  const { sent } = recorded;
  expectIdle(options);
  for (const watched of watches(options)) await expectCurrent(options.running, client, watched);
  for (let turn = 0; turn < turns; turn += 1) await settled(); // the caches notify the controllers in a later turn
  expectIdle(options);
  if (recorded.sent !== sent) throw new Error("expected no further write, got one");
}

const turns = 3;

function expectIdle({ running, recorded, failures }: SettledOptions): void {
  const [failing] = failures.retrying;
  if (failing) throw new Error(`expected every reconcile to succeed, got ${failing}`);
  const { cache } = running;
  if (cache instanceof DeclaredCache && cache.unconfirmed > 0) {
    throw new Error("expected the caches to contain every own write, got some that are not confirmed yet");
  }
  if (!running.idle || recorded.pending > 0) {
    throw new Error(`expected no reconcile in progress, got ${failures.last ?? "one"}`);
  }
}

interface Watched {
  readonly kind: AnyKind;
  readonly list: ListOptions;
  readonly namespaces: readonly string[];
}

/** Returns the kinds that the manager reads from caches, each with the view that was declared first. */
function watches({ controllers, namespaces = [] }: SettledOptions): Iterable<Watched> {
  const found = new Map<string, Watched>();
  for (const { kind, view = {} } of controllers.flatMap(declaredKinds)) {
    const list = { labels: view.labels, fields: view.fields };
    const name = kindName(kind);
    if (!found.has(name)) found.set(name, { kind, list, namespaces: view.namespaces ?? namespaces });
  }
  return found.values();
}

async function expectCurrent(
  running: Manager,
  client: Client,
  { kind, list, namespaces }: Watched,
): Promise<void> {
  const live = await client.list(kind, list);
  const isWatched = ({ metadata: { namespace } }: KubeObject): boolean =>
    namespaces.length === 0 || namespace === undefined || namespaces.includes(namespace);
  const cached = await running.cache.of(kind).iterate().toArray();
  const [expected, got] = [versions(live.filter(isWatched)), versions(cached)];
  if (expected !== got) {
    throw new Error(
      `expected the cache of ${kindName(kind)} to equal the server's objects, got other resource versions`,
    );
  }
}

function versions(objects: readonly KubeObject[]): string {
  return objects
    .map((object) => `${keyOf(object)}@${object.metadata.resourceVersion}`)
    .sort()
    .join(" ");
}
