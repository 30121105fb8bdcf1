import type { KubeObject } from "../../api/index.ts";
import { type TestServer, testServer } from "../requests.fixture.ts";

export type WatchedObject = KubeObject & { readonly status?: { readonly phase?: string } };

/** A write and its effect, according to its response. */
export interface RecordedWrite {
  readonly kind: WatchedKind;
  readonly revision: number;
  readonly before: WatchedObject | undefined;
  readonly after: WatchedObject | undefined;
}

/** The kinds that are written and watched: with and without namespaces, and with a field selector. */
export const watchedKinds = ["configmaps", "pods", "clusterroles"] as const;
export type WatchedKind = (typeof watchedKinds)[number];

/** The kind, namespace and name of an object. */
export interface Place {
  readonly kind: WatchedKind;
  readonly namespace: string;
  readonly name: string;
}

export interface Marks {
  readonly colour?: string | undefined;
  readonly phase?: string | undefined;
}

/** Number of changes per kind that watches can resume from. It is small, so that slow watchers expire. */
const historyLength = 8;

/** A server with the history of its writes. */
export class WatchedWorld implements Disposable {
  readonly test: TestServer = testServer({
    history: { minChanges: historyLength, maxChanges: historyLength },
  });
  readonly history: RecordedWrite[] = [];
  /** The revision before the first write. */
  readonly startRevision: number = this.revision;
  readonly #objects = new Map<string, WatchedObject>();
  #compacted: number = this.startRevision;

  get revision(): number {
    return this.test.server.storage.revision;
  }

  /** Creates the object, or changes its label and phase. */
  async write(place: Place, { colour, phase }: Marks): Promise<void> {
    const before = this.#objects.get(pathOf(place));
    if (!before) return this.#record(place, await this.#create(place, colour));
    const labels = { metadata: { labels: { colour: colour ?? null } } };
    this.#record(place, await this.#patch(pathOf(place), labels));
    if (phase === undefined || place.kind !== "pods") return;
    this.#record(place, await this.#patch(`${pathOf(place)}/status`, { status: { phase } }));
  }

  async delete(place: Place): Promise<void> {
    if (!this.#objects.has(pathOf(place))) return;
    const deleted = await this.test.object("DELETE", pathOf(place));
    if (place.kind === "pods") this.#recordTerminating(place, deleted as WatchedObject);
    this.#record(place, undefined);
  }

  compact(): void {
    this.test.server.forgetHistory();
    this.#compacted = this.revision;
  }

  /** Returns the oldest revision at which a watch of the kind can start without having expired. */
  compacted(kind: WatchedKind): number {
    const changes = this.history.filter((write) => write.kind === kind);
    return Math.max(this.#compacted, changes.at(-1 - historyLength)?.revision ?? 0);
  }

  [Symbol.dispose](): void {
    this.test[Symbol.dispose]();
  }

  /** Records that a Pod is terminating before it is removed. */
  #recordTerminating(place: Place, deleted: WatchedObject): void {
    const revision = this.revision - 1;
    const metadata = { ...deleted.metadata, resourceVersion: String(revision) };
    this.#record(place, { ...deleted, metadata }, revision);
  }

  /** Records a write, unless it changed nothing. */
  #record(place: Place, after: WatchedObject | undefined, revision: number = this.revision): void {
    const before = this.#objects.get(pathOf(place));
    if (after && after.metadata.resourceVersion === before?.metadata.resourceVersion) return;
    this.history.push({ kind: place.kind, revision, before, after });
    if (after) this.#objects.set(pathOf(place), after);
    else this.#objects.delete(pathOf(place));
  }

  #create({ kind, namespace, name }: Place, colour: string | undefined): Promise<WatchedObject> {
    const metadata = { name, ...(colour !== undefined && { labels: { colour } }) };
    return this.test.object("POST", collectionOf(kind, namespace), { metadata, ...bodies[kind] });
  }

  async #patch(path: string, patch: object): Promise<WatchedObject> {
    const headers = { "content-type": "application/merge-patch+json" };
    const { code, body } = await this.test.send("PATCH", path, { body: patch, headers });
    if (code !== 200) throw new Error(`expected 200, got ${code}: ${JSON.stringify(body)}`);
    return body as WatchedObject;
  }
}

/** Returns the path of the objects of a kind, in one namespace or in all. */
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
