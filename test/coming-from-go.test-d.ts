// Compiled, never run. Every statement in a function below is a code cell of docs/coming-from-go.md, in the same order.
// The imports are its import block. test/coming-from-go.test.ts compares them, so a renamed function or option fails
// `npm run types` here, and an edit of one file alone fails `npm test`. The last sections of the document are in
// coming-from-go-tests.test-d.ts.

import type { AnyKind, Condition, Draft, ObjectKey } from "../src/api/index.ts";
import {
  compareQuantities,
  compareResourceVersions,
  conditionOf,
  controllerOf,
  fieldMatcher,
  isControlledBy,
  isTrue,
  labelMatcher,
  metadataOnly,
  ready,
  resolveIntOrPercent,
  selectorMatcher,
  withCondition,
  withOwner,
} from "../src/api/index.ts";
import { Deployment } from "../src/api/types/apps/v1.ts";
import type { Node } from "../src/api/types/core/v1.ts";
import { Pod, Secret } from "../src/api/types/core/v1.ts";
import type { Informer, ListerWatcher } from "../src/cache/index.ts";
import { DeltaFifo, Indexer, informers, RequeueError, reflector } from "../src/cache/index.ts";
import type { Client, Mutable, WatchEvent } from "../src/client/index.ts";
import { clientFor, loadConfig } from "../src/client/index.ts";
import type { CustomObject, Resource, Schema } from "../src/crd/index.ts";
import { defineResource } from "../src/crd/index.ts";
import type { Context, Controller, Logger, Manager, Requeue } from "../src/index.ts";
import {
  and,
  annotationsChanged,
  cached,
  channel,
  child,
  connect,
  controller,
  createLogger,
  createOrPatch,
  createOrUpdate,
  external,
  generationChanged,
  hasLabels,
  index,
  isConflict,
  keyOf,
  kind,
  labelsChanged,
  loggerTo,
  manager,
  not,
  or,
  otherCluster,
  owns,
  parseKey,
  poll,
  prometheus,
  RetryAfterError,
  recorder,
  resourceVersionChanged,
  retryOnConflict,
  shutdownSignal,
  TerminalError,
  watches,
} from "../src/index.ts";
import { atMost, maxOf, perKeyBackoff, perKeyFastSlow, tokenBucket, WorkQueue } from "../src/queue/index.ts";
import type { EventSink } from "../src/recorder/index.ts";

type Website = CustomObject<{ image: string }, { ready: boolean }>;
declare const Website: Resource<Website>;
declare const websiteSpec: Schema<{ image: string }>;
declare const websiteKind: AnyKind;
declare const site: Website;
declare const pod: Pod;
declare const updated: Pod;
declare const spec: Pod["spec"];
declare const deployment: Deployment;
declare const draft: Draft<Deployment>;
declare const conditions: Condition[];
declare const now: string;
declare const resourceVersion: string;
declare const error: unknown;
declare const pending: boolean;
declare const invalid: boolean;
declare const registry: Parameters<typeof prometheus>[0];
declare const certFile: string;
declare const keyFile: string;

declare const client: Client;
declare const remoteClient: Client;
declare const layer: Parameters<Client["through"]>[0];
declare const nodes: Informer<Node>;
declare const listerWatcher: ListerWatcher<Pod>;
declare const queue: WorkQueue;
declare const sink: EventSink;
declare const log: Logger;
declare const signal: AbortSignal;
declare const websites: Controller;
declare const controllers: readonly Controller[];
declare const mgr: Manager;

declare function print(...values: readonly unknown[]): void;
declare function isReady(event: WatchEvent<Pod>): boolean;
declare function readAndUpdate(): Promise<Pod>;
declare function mutate(object: Mutable<Deployment>): void;
declare function secretsOf(deployment: Deployment): ObjectKey[];
declare function transform(secret: Secret): Secret;
declare function sync(key: string): Promise<void>;
declare function messages(signal: AbortSignal): AsyncIterable<string>;
declare function reconcile(key: ObjectKey, context: Context): Promise<void>;
declare function cleanup(object: Website, context: Context): Promise<void>;
declare function sweep(client: Client, signal: AbortSignal): Promise<void>;
declare function lead(signal: AbortSignal): Promise<void>;
declare function serve(): Promise<void>;
declare function run(): Promise<void>;
declare function check(): Promise<void>;

/** Kinds and objects */
export async function kindsAndObjects(): Promise<void> {
  await client.list(Pod);
  await client.list(kind({ group: "example.dev", version: "v1", kind: "Website" }));
  await client.list(metadataOnly(Secret));
  defineResource({ group: "example.dev", version: "v1", kind: "Website", spec: websiteSpec });
  Website.toCustomResourceDefinition();
  keyOf(pod);
  parseKey("default/web");
  controllerOf(pod);
  isControlledBy(deployment, site);
  labelMatcher("tier in (web, api), !canary").matches(pod.metadata.labels);
  selectorMatcher(deployment.spec.selector).matches(pod.metadata.labels);
  fieldMatcher("spec.nodeName=node-1").matches(() => pod.spec?.nodeName);
  await client.applyStatus(Deployment, deployment, { conditions: [ready(true, "Up")] });
  withCondition(conditions, { type: "Ready", status: "True", reason: "Up", message: "" }, now);
  conditionOf(conditions, "Ready");
  isTrue(conditions, "Ready");
  compareQuantities("250m", "0.25");
  resolveIntOrPercent("25%", 8, { round: "up" });
  compareResourceVersions(pod.metadata.resourceVersion, "12345");
}

/** Client */
export async function clients(): Promise<void> {
  await connect();
  await connect({ kubeconfig: "prod.yaml", context: "prod", namespace: "web" });
  await connect({ rateLimit: { perSecond: 20, burst: 30 } });
  clientFor(await loadConfig({ context: "prod" }), { userAgent: "websites/1.2" });
  client.as({ user: "jane", groups: ["dev"] });
  await connect({ userAgent: "website-operator/1.2" });
  await connect({ onWarning: print });
  client.through(layer);
  await client.get(Pod, "web", { signal: AbortSignal.timeout(5_000) });
  await client.transport.send({ method: "GET", path: "/livez" });
  await client.get(Pod, "default/web");
  await client.list(Pod, { namespace: "web", labels: { app: "web" }, fields: "spec.nodeName=a" });
  for await (const { items } of client.pages(Pod, { pageSize: 200 })) print(items);
  await client.list(Pod, { resourceVersion: "0" });
  for await (const event of client.watch(Pod, { resourceVersion })) print(event);
  for await (const event of client.watch(Pod, { fields: "metadata.name=web" })) if (isReady(event)) break;
  await client.create(Pod, { metadata: { name: "web" }, spec });
  await client.update(Pod, pod);
  await client.update(Deployment, deployment, { subresource: "status" });
  await client.patch(Pod, "web", { merge: { metadata: { labels: { app: "web" } } } });
  await client.patch(Pod, "web", { json: [{ op: "remove", path: "/metadata/labels/app" }] });
  await client.patch(Pod, "web", { strategic: { spec: { activeDeadlineSeconds: 60 } } });
  await createOrPatch(client, Deployment, { key: "web", mutate });
  await client.apply(Deployment, { metadata: { name: "web" }, spec: { replicas: 3 } }, { force: true });
  await client.applyStatus(Deployment, deployment, { readyReplicas: 3 });
  await client.patchStatus(Deployment, "web", { readyReplicas: 3 });
  await client.apply(Deployment, draft, { takeOver: ["old-manager"] });
  await client.delete(Pod, pod, { propagation: "Foreground", graceSeconds: 0 });
  await client.deleteAll(Pod, { namespace: "web", labels: { app: "web" } });
  await client.subresource(Deployment, "web", "scale").patch({ merge: { spec: { replicas: 3 } } });
  await client.subresource(Pod, "web", "eviction").create();
  await client.subresource(Pod, "web", "resize").patch({ merge: { spec } });
  for await (const line of client.logs("web", { follow: true })) print(line);
  await client.update(Pod, pod, { dryRun: true });
  await client.update(Pod, pod, { fieldValidation: "Strict" });
  client.withFieldManager("website.example.dev");
  client.inNamespace("web");
  await client.discover();
  await client.version();
  print(await client.resolve(websiteKind));
  if (isConflict(error)) print(error.reason, error.details);
  await retryOnConflict(readAndUpdate);
  const session = await client.exec("web", ["cat"], { container: "app", stdin: true });
  const { code, stdout } = await session.output();
  print(code, stdout, await session.exited);
  await client.attach("web", { stdin: true, tty: true });
}

/** Informers */
export async function informersAndListers(): Promise<void> {
  const factory = informers({ client, namespaces: ["web"] });
  const pods = factory.for(Pod);
  factory.for(metadataOnly(Secret));
  factory.for(Pod, { labels: { app: "web" }, fields: "spec.nodeName=node-1" });
  factory.for(Secret, { transform: (secret) => ({ ...secret, data: {} }) });
  informers({ client, onWatchError: (error, kind) => print(kind.kind, error) });
  informers({ client, resyncMs: 600_000 });
  factory.start({ signal });
  await factory.synced;
  await Promise.all([pods.synced, nodes.synced]);
  pods.hasSynced;
  await factory.close();
  await pods.run({ signal });
  await pods.close();
  const handler = pods.on((event) => queue.add(event.key));
  pods.on((event) => event.type === "added" && print(event.object, event.initial));
  pods.on((event) => event.type === "updated" && print(event.previous, event.object, event.resync));
  pods.on((event) => event.type === "deleted" && print(event.object, event.missed));
  pods.on(print, { filter: (pod) => pod.spec?.nodeName === "node-1" });
  pods.on(print, { resyncMs: 60_000 });
  await handler.synced;
  await handler.close();
  pods.index("node", ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
  pods.lister.by("node", "node-1");
  pods.lister.get("default/web");
  pods.lister.list({ namespace: "web", labels: "app=web" });
  pods.lister.view("default/web");
  for await (const pod of pods.lister.iterate({ labels: "app=web" })) print(pod);
  pods.lister.keys();
  print(pods.health.resourceVersion, pods.health.phase);
  pods.overlay.recordWrite(updated);
  pods.indexer.indexValues("node");
  const known = new Indexer<Pod>({ node: ({ spec }) => (spec.nodeName ? [spec.nodeName] : []) });
  known.indexKeys("node", "node-1");
  known.replace([pod]);
  const fifo = new DeltaFifo<Pod>({ known });
  await fifo.pop((key, deltas, { initial }) => print(key, deltas, initial), { signal });
  await fifo.pop((key, [first]) => first.type === "deleted" && print(key, first.object, first.missed));
  await fifo.pop(() => Promise.reject(new RequeueError()));
  fifo.addIfNotPresent("default/web", [{ type: "added", object: pod }]);
  await fifo.synced;
  await reflector({ client, kind: Pod, sink: fifo }).run({ signal });
  await reflector({ listerWatcher, kind: Pod, sink: known }).run({ signal });
}

/** Work queues */
export async function workQueues(): Promise<void> {
  const queue = new WorkQueue({ name: "websites", limiter: perKeyBackoff() });
  new WorkQueue();
  queue.add("default/web");
  queue.add("default/web", { afterMs: 5_000 });
  queue.retry("default/web");
  queue.add("default/web", { priority: 10 });
  queue.forget("default/web");
  queue.retries("default/web");
  for await (using lease of queue) await sync(lease.key);
  const lease = queue.take();
  lease?.[Symbol.dispose]();
  queue.size;
  await queue.close();
  perKeyBackoff({ baseMs: 5, maxMs: 60_000 });
  perKeyFastSlow({ fastTries: 3, fastMs: 100, slowMs: 10_000 });
  tokenBucket({ perSecond: 10, burst: 100 });
  maxOf(perKeyBackoff(), tokenBucket({ perSecond: 10, burst: 100 }));
  atMost(60_000, perKeyBackoff());
}

/** Events */
export async function events(): Promise<void> {
  const events = recorder({ client, component: "websites" });
  recorder({ client, component: "websites", api: "v1" });
  recorder({ client, component: "websites", log });
  recorder({ client, component: "websites", sinks: [sink] });
  events.normal(pod, "Synced", "Pod synced");
  events.warning(pod, "Failed", "image not found");
  events.normal(pod, "Scaled", { note: "scaled to 3", annotations: { "example.dev/by": "hpa" } });
  events.normal(pod, "Scaled", { note: "scaled to 3", action: "Scale", related: deployment });
  await events.close();
}

/** Builder, sources, predicates */
export function controllerOptions(): void {
  controller({ for: Website, reconcile });
  controller({ name: "pod-labels", for: Pod, reconcile });
  controller({ for: Website, on: [owns(Deployment)], reconcile });
  owns(Deployment, { anyOwner: true });
  watches(Secret, (secret) => [keyOf(secret)]);
  owns(metadataOnly(Secret));
  const pushed = channel();
  pushed.push("default/web");
  external(messages);
  poll({ everyMs: 600_000 });
  owns(Deployment, { when: generationChanged });
  controller({ for: Website, when: labelsChanged, reconcile });
  or(generationChanged, labelsChanged);
  and(annotationsChanged, hasLabels({ app: "web" }));
  not(resourceVersionChanged);
  owns(Deployment, { when: (event) => event.type !== "deleted" });
  controller({ for: Website, reconcile, concurrency: 4 });
  controller({ for: Website, reconcile, limiter: perKeyBackoff({ maxMs: 60_000 }) });
  controller({ for: Website, reconcile, timeoutMs: 30_000 });
  controller({ for: Website, reconcile, everywhere: true });
  watches(Secret, (secret) => [keyOf(secret)], { priority: 10 });
}

/** Reconciler */
export async function reconcilers(key: ObjectKey, context: Context): Promise<Requeue | undefined> {
  const { client, log, signal, reasons, attempt } = context;
  const site = await client.get(Website, key);
  if (!site) return;
  log.info("deploying", { image: site.spec.image, reasons, attempt });
  signal.throwIfAborted();
  if (pending) return { requeueAfterMs: 60_000 };
  if (pending) return context.until(Deployment, key, (found) => found === undefined, { timeoutMs: 60_000 });
  if (pending) return { requeueAfterMs: 0 };
  if (pending) throw new Error("no address assigned yet");
  if (invalid) throw new TerminalError("spec.image is invalid");
  if (pending) throw new RetryAfterError("quota exceeded", { afterMs: 30_000 });
  await client.apply(Deployment, draft, { owner: site });
  await context.applyOwned(site, [child(Deployment, draft)]);
  await client.update(Deployment, withOwner(deployment, site, { controller: false }));
  await createOrUpdate(client, Deployment, { key, mutate, owner: site });
  await createOrPatch(client, Deployment, { key, mutate, owner: site });
  await client.applyStatus(Website, site, { ready: true });
  controller({ for: Website, reconcile, cleanup, finalizer: "example.dev/websites" });
  return undefined;
}

/** Manager, cache, cluster */
export async function managers(): Promise<void> {
  const mgr = manager({ client, controllers: [websites] });
  await mgr.run({ signal });
  mgr.add({ name: "sweep", run: async ({ client, signal }) => sweep(client, signal) });
  mgr.add({ name: "server", everywhere: true, run: serve });
  const added = mgr.add(websites);
  await added.stop();
  await mgr.ready;
  await mgr.client.get(Website, "docs");
  await client.get(Website, "docs");
  mgr.cache.of(Website).list({ namespace: "web" });
  mgr.cache.owned(Deployment, site);
  const bySecret = index(Deployment, (deployment) => secretsOf(deployment));
  controller({ name: "reloader", for: Deployment, indexes: [bySecret], reconcile });
  watches(Secret, (secret, { cache }) => cache.by(bySecret, keyOf(secret)));
  mgr.cache.on(Deployment, ({ type, key }) => print(type, key));
  manager({ controllers, namespaces: ["web", "shop"] });
  manager({ controllers, cache: { labels: { app: "web" }, pageSize: 100 } });
  manager({ controllers, cache: { kinds: [cached(Secret, { namespaces: ["web"], transform })] } });
  manager({ controllers, cache: { kinds: [cached(Secret, { metadataOnly: true })] } });
  owns(Secret, { view: { managedFields: true } });
  manager({ controllers, strictReads: true });
  manager({ controllers, syncTimeoutMs: 60_000 });
  manager({ controllers, drainMs: 30_000 });
  const remote = otherCluster({ name: "remote", client: remoteClient });
  watches(Secret, (secret) => [keyOf(secret)], { cluster: remote });
}

/** Leader election */
export function leaderElection(): void {
  manager({ controllers, leaderElection: { name: "websites.example.dev" } });
  manager({ controllers, leaderElection: { name: "websites", namespace: "ops", identity: "replica-1" } });
  manager({ controllers, leaderElection: { name: "websites", leaseDurationMs: 15_000 } });
  manager({ controllers, leaderElection: { name: "a", renewDeadlineMs: 10_000, retryPeriodMs: 2_000 } });
  manager({ controllers: [], runnables: [{ name: "work", run }], leaderElection: { name: "work" } });
  mgr.add({ name: "lead", run: async ({ signal }) => lead(signal) });
}

/** Health, metrics, logs, signals */
export async function operations(): Promise<void> {
  await mgr.run({ signal: shutdownSignal() });
  manager({ controllers, health: { port: 8081 } });
  manager({ controllers, health: { port: 8081, healthz: [{ name: "db", check }] } });
  manager({ controllers, health: { port: 8081, readyz: [{ name: "db", check }] } });
  manager({ controllers, metrics: { port: 8080 } });
  manager({ controllers, registry: prometheus(registry) });
  print(mgr.addresses.metrics?.port);
  manager({ controllers, metrics: { port: 8443, tls: { certFile, keyFile } } });
  manager({ controllers, metrics: { port: 8443, tls: true, guarded: true } });
  manager({ controllers, metrics: { port: 8080, host: "127.0.0.1", profiling: true } });
  manager({ controllers, log: createLogger({ level: "debug", readable: true }) });
  manager({ controllers, log: loggerTo(({ level, message, fields }) => print(level, message, fields)) });
  log.with({ shard: 3 });
}
