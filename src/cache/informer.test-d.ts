// Compiled, never run: the propositions are the types. A `@ts-expect-error` fails the compiler when the line is legal.

import { metadataOnly, type PartialObject } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { type ConfigMap, Pod } from "../api/types/core/v1.ts";
import type { InformerFactory, Lister, ObjectEvent } from "./index.ts";

declare const factory: InformerFactory;

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

export { image, images, maps, schemas };
