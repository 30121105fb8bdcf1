import type { KubeObject } from "../api/index.ts";
import { type TestServer, testServer } from "./requests.fixture.ts";

export type Seen = KubeObject & { readonly status?: { readonly phase?: string } };

/** What one write did, as its writer was told. */
export interface Happened {
  readonly kind: WatchedKind;
  readonly revision: number;
  readonly before: Seen | undefined;
  readonly after: Seen | undefined;
}

/** The kinds that are written and watched: with and without namespaces, and with fields that change. */
export const watchedKinds = ["configmaps", "pods", "clusterroles"] as const;
export type WatchedKind = (typeof watchedKinds)[number];

/** Where an object is. */
export interface Place {
  readonly kind: WatchedKind;
  readonly namespace: string;
  readonly name: string;
}

export interface Marks {
  readonly colour?: string | undefined;
  readonly phase?: string | undefined;
}

/** So many changes of a kind can be read again: few, so that slow watchers meet the end of it. */
const kept = 8;

/** A server, and what happened to it. */
export class WatchedWorld implements Disposable {
  readonly test: TestServer = testServer({ history: { least: kept, most: kept } });
  readonly history: Happened[] = [];
  /** The revision at which nothing had happened yet. */
  readonly startRevision: number = this.revision;
  readonly #now = new Map<string, Seen>();
  #compacted: number = this.startRevision;

  get revision(): number {
    return this.test.server.storage.revision;
  }

  /** Makes the object, or marks what is there. */
  async write(place: Place, { colour, phase }: Marks): Promise<void> {
    const before = this.#now.get(pathOf(place));
    if (!before) return this.#record(place, await this.#create(place, colour));
    const labels = { metadata: { labels: { colour: colour ?? null } } };
    this.#record(place, await this.#patch(pathOf(place), labels));
    if (phase === undefined || place.kind !== "pods") return;
    this.#record(place, await this.#patch(`${pathOf(place)}/status`, { status: { phase } }));
  }

  async delete(place: Place): Promise<void> {
    if (!this.#now.has(pathOf(place))) return;
    const gone = await this.test.object("DELETE", pathOf(place));
    if (place.kind === "pods") this.#recordLeaving(place, gone as Seen);
    this.#record(place, undefined);
  }

  compact(): void {
    this.test.server.forgetHistory();
    this.#compacted = this.revision;
  }

  /** Watches of the kind that begin before this revision have expired. */
  forgotten(kind: WatchedKind): number {
    const changes = this.history.filter((happened) => happened.kind === kind);
    return Math.max(this.#compacted, changes.at(-1 - kept)?.revision ?? 0);
  }

  [Symbol.dispose](): void {
    this.test[Symbol.dispose]();
  }

  /** Pods are seen going before they are gone. */
  #recordLeaving(place: Place, gone: Seen): void {
    const revision = this.revision - 1;
    const metadata = { ...gone.metadata, resourceVersion: String(revision) };
    this.#record(place, { ...gone, metadata }, revision);
  }

  /** A write that changed nothing did not happen. */
  #record(place: Place, after: Seen | undefined, revision: number = this.revision): void {
    const before = this.#now.get(pathOf(place));
    if (after && after.metadata.resourceVersion === before?.metadata.resourceVersion) return;
    this.history.push({ kind: place.kind, revision, before, after });
    if (after) this.#now.set(pathOf(place), after);
    else this.#now.delete(pathOf(place));
  }

  #create({ kind, namespace, name }: Place, colour: string | undefined): Promise<Seen> {
    const metadata = { name, ...(colour !== undefined && { labels: { colour } }) };
    return this.test.object("POST", collectionOf(kind, namespace), { metadata, ...bodies[kind] });
  }

  async #patch(path: string, patch: object): Promise<Seen> {
    const headers = { "content-type": "application/merge-patch+json" };
    const { code, body } = await this.test.send("PATCH", path, { body: patch, headers });
    if (code !== 200) throw new Error(`expected 200, got ${code}: ${JSON.stringify(body)}`);
    return body as Seen;
  }
}

/** Where a kind's objects are listed: those of one namespace, or all. */
export function collectionOf(kind: WatchedKind, namespace?: string): string {
  if (kind === "clusterroles") return "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  return namespace === undefined ? `/api/v1/${kind}` : `/api/v1/namespaces/${namespace}/${kind}`;
}

function pathOf({ kind, namespace, name }: Place): string {
  return `${collectionOf(kind, namespace)}/${name}`;
}

const bodies: Readonly<Record<WatchedKind, object>> = {
  configmaps: {},
  pods: { spec: { containers: [{ name: "main", image: "registry.example/web:1" }] } },
  clusterroles: { rules: [] },
};
