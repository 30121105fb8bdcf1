import { setTimeout as sleep } from "node:timers/promises";
import { controller } from "trimtab";
import { type Kind, kind } from "trimtab/api";
import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { atWork, Notes } from "../at-work.ts";
import { type Stage, scenario } from "../scenario.ts";
import { type Widget, widgets } from "../widgets.ts";

/** The kind that `widgets` defines, declared before it exists. */
function widgetOf({ namespace }: Stage): Kind<Widget> {
  const group = `${namespace}.example.dev`;
  return kind<Widget>({ group, version: "v1", kind: "Widget", plural: "widgets", namespaced: true });
}

scenario("a controller waits for an undefined kind, and starts when it is defined", async (stage) => {
  const { client, signal, expect } = stage;
  const Widget = widgetOf(stage);
  const notes = new Notes();
  const made = controller({ name: "widget", for: Widget, reconcile: async ({ name }) => notes.add(name) });
  await using work = await atWork(stage, [], { missingKinds: "wait" });
  const added = work.manager.add(made);
  await using _defined = await widgets(stage);
  await client.create(Widget, { metadata: { name: "a" } });
  expect(await notes.next(signal)).toBe("a");
  await added.stop();
});

scenario(
  "a controller whose kind is deleted stops reconciling, and continues when it is defined again",
  async (stage) => {
    const { client, signal, expect } = stage;
    const Widget = widgetOf(stage);
    const notes = new Notes();
    const made = controller({ name: "widget", for: Widget, reconcile: async ({ name }) => notes.add(name) });
    const first = await widgets(stage);
    await using work = await atWork(stage, [made]);
    await client.create(Widget, { metadata: { name: "before" } });
    expect(await notes.next(signal)).toBe("before");
    await first[Symbol.asyncDispose]();
    await gone(stage);
    while (!work.warnings.includes(waiting)) await sleep(50, undefined, { signal });
    await using _second = await widgets(stage);
    await client.create(Widget, { metadata: { name: "after" } });
    const seenNotes = [await notes.next(signal)];
    while (!seenNotes.includes("after")) seenNotes.push(await notes.next(signal)); // the deletion of the first may be reported, too
    expect(work.warnings).toEqual([waiting]);
  },
);

const waiting = "waiting for missing kinds";

/** Waits until a definition is deleted, which happens after its objects are deleted. */
async function gone({ cluster, namespace, signal }: Stage): Promise<void> {
  const name = `widgets.${namespace}.example.dev`;
  while (await cluster.client.get(CustomResourceDefinition, name, { signal })) {
    await sleep(50, undefined, { signal });
  }
}
