import { type AnyKind, type KubeObject, keyOf, kindName } from "../api/index.ts";
import { settled } from "../base/index.ts";
import type { Client, ListOptions } from "../client/index.ts";
import { type Controller, DeclaredCache } from "../controller/index.ts";
import type { Manager } from "../manager/index.ts";
import { declaredKinds } from "./declared-kinds.ts";
import type { ReconcileFailures } from "./reconcile-failures.ts";
import type { RecordedWrites } from "./recorded-writes.ts";

export interface RestOptions {
  readonly running: Manager;
  readonly controllers: readonly Controller[];
  readonly client: Client;
  /** That the manager watches alone. */
  readonly namespaces: readonly string[] | undefined;
  readonly recorded: RecordedWrites;
  readonly failures: ReconcileFailures;
}

/**
 * Throws unless controllers are at rest: nothing is being reconciled or waits to be tried again, nothing is being written,
 * the caches have what the server has, and none of that changes while it is looked at.
 */
export async function expectRest(options: RestOptions): Promise<void> {
  const { recorded, client } = options;
  const { sent } = recorded;
  expectNothingUnderWay(options);
  for (const watched of watches(options)) await expectCurrent(options.running, client, watched);
  for (let turn = 0; turn < turns; turn += 1) await settled(); // what the caches have, the controllers have been told
  expectNothingUnderWay(options);
  if (recorded.sent !== sent) throw new Error("expected nothing to be written any more, got a write");
}

const turns = 3;

function expectNothingUnderWay({ running, recorded, failures }: RestOptions): void {
  const [failing] = failures.retrying;
  if (failing) throw new Error(`expected every reconcile to succeed, got ${failing}`);
  const { cache } = running;
  if (cache instanceof DeclaredCache && cache.unconfirmed > 0) {
    throw new Error("expected the caches to have what was written, got some that do not yet");
  }
  if (!running.idle || recorded.pending > 0) {
    throw new Error(`expected nothing to be reconciled any more, got ${failures.last ?? "something"}`);
  }
}

interface Watched {
  readonly kind: AnyKind;
  readonly list: ListOptions;
  readonly namespaces: readonly string[];
}

/** What the manager reads from caches: of each kind, what was declared first. */
function watches({ controllers, namespaces = [] }: RestOptions): Iterable<Watched> {
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
    throw new Error(`expected the cache of ${kindName(kind)} to have what the server has, got another`);
  }
}

function versions(objects: readonly KubeObject[]): string {
  return objects
    .map((object) => `${keyOf(object)}@${object.metadata.resourceVersion}`)
    .sort()
    .join(" ");
}
