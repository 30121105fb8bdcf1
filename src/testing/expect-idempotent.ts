import { asError, silentLogger, unlessAborted, VirtualClock } from "../base/index.ts";
import { pathText, valueText } from "../detector/index.ts";
import { type Manager, type ManagerOptions, manager } from "../manager/index.ts";
import { type Cluster, countReconciles, inCluster } from "./cluster.ts";
import { expectSettled } from "./expect-settled.ts";
import { rejectMissingKinds } from "./missing-kinds.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { type RecordedWrite, RecordedWrites } from "./recorded-writes.ts";

export interface IdempotentOptions extends ManagerOptions {
  /** Maximum time for the controllers to settle, for each run. @default 4,000, as for `eventually` */
  readonly withinMs?: number | undefined;
}

/**
 * Runs controllers until they have settled, stops them, and runs them again. The second run reconciles every object
 * again and must not write. Rejects with each write of the second run that changed an object, and the fields that it
 * changed. Applying an unchanged object is not a change.
 *
 * ```ts
 * await cluster.client.create(Website, { metadata: { name: "a" }, spec: { image: "nginx" } });
 * await expectIdempotent(cluster, { controllers: [websites] });
 * ```
 *
 * The same controllers must not run elsewhere meanwhile, and the cluster must stay open. Writes of Events and Leases
 * are ignored.
 */
export async function expectIdempotent(cluster: Cluster, options: IdempotentOptions): Promise<void> {
  await rejectMissingKinds(cluster.client, options);
  await runUntilSettled(cluster, options);
  const writes = await runUntilSettled(cluster, options);
  if (writes.length === 0) return;
  const many = writes.length === 1 ? "1 write" : `${writes.length} writes`;
  const lines = writes.slice(0, maxShown).map((write) => `\n  ${writeText(write)}`);
  const more = writes.length > maxShown ? `\n  and ${writes.length - maxShown} more` : "";
  throw new Error(
    `expected nothing to be written when everything is reconciled again, got ${many}:${lines.join("")}${more}`,
  );
}

/** Maximum number of writes that the error lists. */
const maxShown = 20;

async function runUntilSettled(
  cluster: Cluster,
  { withinMs, ...options }: IdempotentOptions,
): Promise<RecordedWrite[]> {
  const recorded = new RecordedWrites();
  const failures = new ReconcileFailures();
  const { client = cluster.client, controllers, namespaces, log = silentLogger } = options;
  const running = manager({
    ...inCluster(cluster, { ...options, log }),
    client: client.through(recorded.layer),
    controllers: controllers.map((each) => countReconciles(cluster, failures.observe(each))),
  });
  const settledOptions = { running, controllers, client, namespaces, recorded, failures };
  const check = (): Promise<void> => expectSettled(settledOptions);
  const done = ready(cluster, running).then(() =>
    withLastWrites(cluster.eventually(check, { withinMs }), recorded),
  );
  try {
    await running.runUntil(unlessAborted(done, cluster.signal));
  } catch (cause) {
    if (!cluster.signal.aborted) throw cause;
    throw new Error("expected the cluster to stay open until the controllers have settled, got closed", {
      cause,
    });
  }
  return recorded.writes;
}

/** Resolves when the caches have synced. Advances a virtual clock until then. */
async function ready(cluster: Cluster, running: Manager): Promise<void> {
  if (!(cluster.clock instanceof VirtualClock)) return running.ready;
  return cluster.eventually(() => running.ready, { withinMs: maxSyncMs });
}

/** The default timeout of a manager's caches. */
const maxSyncMs = 120_000;

async function withLastWrites(settling: Promise<void>, { writes }: RecordedWrites): Promise<void> {
  try {
    await settling;
  } catch (error) {
    const last = writes.slice(-3).map((write) => `\n  ${writeText(write)}`);
    const wrote = last.length > 0 ? `; last written:${last.join("")}` : "";
    throw new Error(`controllers did not settle: ${asError(error).message}${wrote}`, { cause: error });
  }
}

/** Describes a write: `apply ConfigMap default/a: data.at "1" → "2"`. */
function writeText(write: RecordedWrite): string {
  const { verb, kind, key, subresource } = write;
  const what = [verb, subresource, kind, key].filter((part) => part !== undefined).join(" ");
  const changed = changeText(write);
  return changed === "" ? what : `${what}: ${changed}`;
}

function changeText({ verb, kind, isNew, changes }: RecordedWrite): string {
  if (verb === "create" || verb === "delete") return "";
  if (isNew) return "created";
  if (changes.length === 0) return "only the resource version";
  return changes
    .map(
      ({ path, before, after }) =>
        `${pathText(path)} ${valueText(before, kind, path)} → ${valueText(after, kind, path)}`,
    )
    .join(", ");
}
