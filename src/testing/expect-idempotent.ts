import { asError, silentLogger, unlessAborted } from "../base/index.ts";
import { pathText, valueText } from "../detector/index.ts";
import { type ManagerOptions, manager } from "../manager/index.ts";
import { expectRest } from "./at-rest.ts";
import { type Cluster, inCluster } from "./cluster.ts";
import { refuseForgottenKinds } from "./forgotten-kinds.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { type RecordedWrite, RecordedWrites } from "./recorded-writes.ts";

export interface IdempotentOptions extends ManagerOptions {
  /** How long the controllers may take to come to rest, each time. @default 4,000, as `eventually` */
  readonly withinMs?: number | undefined;
}

/**
 * Runs controllers until they have nothing more to do, ends them, and runs them again: then every object is reconciled
 * again, and nothing may be written. Rejects with each write of the second time that changed something: what was written, and
 * which fields. An apply of what is there already changes nothing.
 *
 * ```ts
 * await cluster.client.create(Website, { metadata: { name: "a" }, spec: { image: "nginx" } });
 * await expectIdempotent(cluster, { controllers: [websites] });
 * ```
 *
 * The same controllers must not run otherwise meanwhile, and the cluster has to stay: closing it is an error. Events and
 * Leases are no writes here.
 */
export async function expectIdempotent(cluster: Cluster, options: IdempotentOptions): Promise<void> {
  await refuseForgottenKinds(cluster.client, options);
  await runToRest(cluster, options);
  const writes = await runToRest(cluster, options);
  if (writes.length === 0) return;
  const many = writes.length === 1 ? "1 write" : `${writes.length} writes`;
  const lines = writes.slice(0, most).map((write) => `\n  ${writeText(write)}`);
  const more = writes.length > most ? `\n  and ${writes.length - most} more` : "";
  throw new Error(
    `expected nothing to be written when everything is reconciled again, got ${many}:${lines.join("")}${more}`,
  );
}

/** More are not read by anyone. */
const most = 20;

async function runToRest(
  cluster: Cluster,
  { withinMs, ...options }: IdempotentOptions,
): Promise<RecordedWrite[]> {
  const recorded = new RecordedWrites();
  const failures = new ReconcileFailures();
  const { client = cluster.client, controllers, namespaces, log = silentLogger } = options;
  const running = manager({
    ...inCluster(cluster, { ...options, log }),
    client: client.through(recorded.layer),
    controllers: controllers.map((each) => failures.observe(each)),
  });
  const rest = { running, controllers, client, namespaces, recorded, failures };
  const check = (): Promise<void> => expectRest(rest);
  const rested = running.ready.then(() => resting(cluster.eventually(check, { withinMs }), recorded));
  try {
    await running.runUntil(unlessAborted(rested, cluster.signal));
  } catch (cause) {
    if (!cluster.signal.aborted) throw cause;
    throw new Error("expected a cluster that stays until controllers are at rest, got one that was closed", {
      cause,
    });
  }
  return recorded.writes;
}

async function resting(rest: Promise<void>, { writes }: RecordedWrites): Promise<void> {
  try {
    await rest;
  } catch (error) {
    const last = writes.slice(-3).map((write) => `\n  ${writeText(write)}`);
    const wrote = last.length > 0 ? `; last written:${last.join("")}` : "";
    throw new Error(`controllers did not come to rest: ${asError(error).message}${wrote}`, { cause: error });
  }
}

/** `apply ConfigMap default/a: data.at "1" → "2"`. */
function writeText(write: RecordedWrite): string {
  const { verb, kind, key, subresource } = write;
  const what = [verb, subresource, kind, key].filter((part) => part !== undefined).join(" ");
  const changed = changeText(write);
  return changed === "" ? what : `${what}: ${changed}`;
}

function changeText({ verb, kind, isNew, changes }: RecordedWrite): string {
  if (verb === "create" || verb === "delete") return "";
  if (isNew) return "created";
  if (changes.length === 0) return "nothing but the version";
  return changes
    .map(
      ({ path, before, after }) =>
        `${pathText(path)} ${valueText(before, kind, path)} → ${valueText(after, kind, path)}`,
    )
    .join(", ");
}
