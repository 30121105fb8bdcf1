// Compiled, never run: the propositions are the types. A `@ts-expect-error` fails the compiler when the line is legal.

import { metadataOnly, type PartialObject } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { ConfigMap, Pod } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import {
  DeltaFifo,
  Indexer,
  type InformerFactory,
  type Lister,
  type ListerWatcher,
  type ObjectEvent,
  type ReadonlyIndexer,
  reflector,
} from "./index.ts";

declare const factory: InformerFactory;
declare const client: Client;
declare const listerWatcher: ListerWatcher<Pod>;

const pods = factory.for(Pod);
const lister: Lister<Pod> = pods.lister;
const image: string | undefined = lister.get("home/a")?.spec?.containers[0]?.image;

pods.on((event) => {
  const key: string = event.key;
  switch (event.type) {
    case "added":
      return event.initial ? key : event.object.spec?.nodeName;
    case "updated":
      return event.resync || event.previous.spec?.nodeName;
    default: {
      const missed: boolean = event.missed;
      return missed;
    }
  }
});

// A promise is taken too.
pods.on(async ({ object }) => {
  object.metadata.labels = {};
  await Promise.resolve();
});

pods.on(() => {}, { filter: ({ spec }) => spec?.nodeName !== undefined, resyncMs: 30_000 });
pods.index("node", ({ spec }) => (spec?.nodeName === undefined ? [] : [spec.nodeName]));

// @ts-expect-error: only updates have a previous object
pods.on((event) => event.previous);
for (const view of lister.views()) {
  // @ts-expect-error: views are shared, and not to be changed
  view.metadata.name = "b";
}
// Functions of the whole object take a view, also of a kind whose type refers to itself.
const imagesOf = (pod: Pod): string[] =>
  (pod.spec?.containers ?? []).flatMap(({ image: each }) => each ?? []);
const images: string[] = lister.views().flatMap(imagesOf);
const schemaOf = (crd: CustomResourceDefinition): unknown => crd.spec.versions[0]?.schema;
const schemas: unknown[] = factory.for(CustomResourceDefinition).lister.viewsBy("group", "a").map(schemaOf);
// @ts-expect-error: a transform gives the kind it was given
factory.for(Pod, { transform: (pod) => ({ ...pod, metadata: undefined }) });
// @ts-expect-error: pods are no config maps
const maps: ObjectEvent<ConfigMap> = {} as ObjectEvent<Pod>;

const names: Lister<PartialObject> = factory.for(metadataOnly(Pod)).lister;
// @ts-expect-error: there is no more than metadata
names.get("home/a")?.spec;

// The parts are typed by the kind, and an indexer has the reads of a lister.
const indexer = new Indexer<Pod>({ node: ({ spec }) => [spec.nodeName ?? ""] });
const reads: ReadonlyIndexer<Pod> = factory.for(Pod).indexer;
const sameReads: ReadonlyIndexer<Pod> = indexer;
const fifo = new DeltaFifo<Pod>({ known: reads });
await fifo.pop((_, [first]) => {
  const nodeName: string | undefined = first.object.spec.nodeName;
  // @ts-expect-error: only deletes can be missed
  first.missed;
  return nodeName;
});
void reflector({ client, kind: Pod, sink: indexer, view: { namespace: "web", labels: { app: "web" } } });
void reflector({ listerWatcher, kind: Pod, sink: fifo, view: { resyncMs: 60_000 } });
// @ts-expect-error: a reflector has one source
void reflector({ client, listerWatcher, kind: Pod, sink: fifo });
// @ts-expect-error: a lister-watcher selects by itself
void reflector({ listerWatcher, kind: Pod, sink: fifo, view: { labels: { app: "web" } } });
// @ts-expect-error: an indexer of Pods is no sink for config maps
void reflector({ client, kind: ConfigMap, sink: indexer });
// @ts-expect-error: the informer writes its own store
reads.add({} as Pod);

export { image, images, maps, sameReads, schemas };
