import { keyOf } from "trimtab";
import { ConfigMap } from "trimtab/api/core/v1";
import { DeltaFifo, type Deltas, Indexer, reflector } from "trimtab/cache";
import { scenario } from "../scenario.ts";

const labels = { part: "informer" };

function text(deltas: Deltas<ConfigMap>): string {
  return deltas.map(({ type, object }) => `${type} ${object.metadata.name}`).join(", ");
}

function apply(known: Indexer<ConfigMap>, deltas: Deltas<ConfigMap>): void {
  for (const { type, object } of deltas) {
    if (type === "deleted") known.delete(object);
    else known.add(object);
  }
}

scenario("a reflector fills a delta FIFO, whose consumer keeps an indexer equal to a list", async (stage) => {
  const { client, namespace, signal, expect } = stage;
  const create = (name: string) =>
    client.create(ConfigMap, { metadata: { name, labels }, data: { team: "a" } });
  await create("first");
  const known = new Indexer<ConfigMap>({ team: ({ data }) => (data?.team ? [data.team] : []) });
  const fifo = new DeltaFifo<ConfigMap>({ known });
  const ended = new AbortController();
  const running = reflector({ client, kind: ConfigMap, view: { namespace, labels }, sink: fifo }).run(ended);
  const popped: string[] = [];
  const pop = () =>
    fifo.pop(
      (_, deltas, { initial }) => {
        apply(known, deltas);
        popped.push(`${initial ? "initial " : ""}${text(deltas)}`);
      },
      { signal },
    );
  try {
    await pop();
    const second = await create("second");
    await pop();
    await client.update(ConfigMap, { ...second, data: { team: "b" } });
    await pop();
    await client.delete(ConfigMap, "first");
    await pop();
    expect(popped).toEqual(["initial replaced first", "added second", "updated second", "deleted first"]);
    expect(known.list().map((map) => ({ ...map, metadata: { ...map.metadata, managedFields: [] } }))).toEqual(
      (await client.list(ConfigMap, { labels })).map((map) => ({
        ...map,
        metadata: { ...map.metadata, managedFields: [] },
      })),
    );
    expect([known.indexValues("team"), known.by("team", "b").map(keyOf)]).toEqual([
      ["b"],
      [`${namespace}/second`],
    ]);
  } finally {
    ended.abort();
    await running;
  }
});
