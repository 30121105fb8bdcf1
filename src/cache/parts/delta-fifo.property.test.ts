import fc from "fast-check";
import { expect, test } from "vitest";
import type { ConfigMap } from "../../api/types/core/v1.ts";
import type { Deltas } from "./delta.ts";
import { DeltaFifo } from "./delta-fifo.ts";
import { configMap, deltaText } from "./fifo.fixture.ts";
import { Indexer } from "./indexer.ts";
import { RequeueError } from "./requeue-error.ts";

/** A write of the producer, or what the consumer does with the next key. Names are short, so that keys meet. */
type Step =
  | { readonly type: "add" | "update" | "delete"; readonly name: string }
  | { readonly type: "replace"; readonly names: readonly string[] }
  | { readonly type: "resync" }
  | { readonly type: "pop"; readonly fails: boolean; readonly during: readonly Step[] };

const names = fc.constantFrom("a", "b", "c", "d");
const writes: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom("add", "update", "delete"), name: names }),
  fc.record({ type: fc.constant("replace"), names: fc.uniqueArray(names) }),
  fc.constant({ type: "resync" }),
);
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: writes },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("pop"),
      fails: fc.boolean(),
      during: fc.array(writes, { maxLength: 2 }),
    }),
  },
);

/** The queue as a plain list of deltas, oldest first: `[name, text]`. */
class Model {
  readonly known = new Map<string, string>();
  #deltas: { readonly name: string; readonly text: string }[] = [];
  #order: string[] = [];
  #processing: { readonly name: string; readonly texts: readonly string[] } | undefined;

  push(name: string, text: string): void {
    const last = this.#deltas.findLast((delta) => delta.name === name);
    if (!this.#order.includes(name)) this.#order.push(name);
    if (last && isDelete(last.text) && isDelete(text)) {
      if (!text.startsWith("missed")) this.#deltas[this.#deltas.lastIndexOf(last)] = { name, text };
    } else this.#deltas.push({ name, text });
  }

  /** Returns the newest version of an object, unless it is deleted. */
  version(name: string): string | undefined {
    const newest = this.#newest(name);
    if (newest === undefined) return this.known.get(name);
    return isDelete(newest) ? undefined : versionOf(newest);
  }

  delete(name: string, version: string): void {
    const queued = this.#deltas.some((delta) => delta.name === name);
    if (queued || this.version(name) !== undefined) this.push(name, `deleted ${version}`);
  }

  replace(listed: readonly string[], version: string): void {
    const before = new Set([...this.#order, this.#processing?.name ?? "", ...this.known.keys()]);
    for (const name of listed) this.push(name, `replaced ${name}@${version}`);
    for (const name of before) {
      const known = listed.includes(name) ? undefined : this.version(name);
      if (known !== undefined) this.push(name, `missed deleted ${known}`);
    }
  }

  resync(): void {
    for (const [name, version] of this.known)
      if (this.#newest(name) === undefined) this.push(name, `sync ${version}`);
  }

  take(): { readonly name: string; readonly texts: readonly string[] } | undefined {
    const name = this.#order.shift();
    if (name === undefined) return undefined;
    const texts = this.#deltas.filter((delta) => delta.name === name).map(({ text }) => text);
    this.#deltas = this.#deltas.filter((delta) => delta.name !== name);
    this.#processing = { name, texts };
    return this.#processing;
  }

  /** Ends the processing of a key, which may have failed. */
  done(requeue: boolean): void {
    const { name = "", texts = [] } = this.#processing ?? {};
    this.#processing = undefined;
    if (!requeue) return;
    const later = this.#deltas.filter((delta) => delta.name === name);
    this.#deltas = this.#deltas.filter((delta) => delta.name !== name);
    for (const text of [...texts, ...later.map((delta) => delta.text)]) this.push(name, text);
  }

  get queued(): readonly (readonly [string, readonly string[]])[] {
    return this.#order.map((name) => [
      `home/${name}`,
      this.#deltas.filter((delta) => delta.name === name).map(({ text }) => text),
    ]);
  }

  #newest(name: string): string | undefined {
    const queued = this.#deltas.findLast((delta) => delta.name === name)?.text;
    return queued ?? (this.#processing?.name === name ? this.#processing.texts.at(-1) : undefined);
  }
}

function isDelete(text: string): boolean {
  return text.includes("deleted");
}

function versionOf(text: string): string {
  return text.slice(text.lastIndexOf(" ") + 1);
}

/** The queue and its model, with a consumer that keeps its store current. */
class Pair {
  readonly model = new Model();
  readonly known = new Indexer<ConfigMap>();
  readonly fifo = new DeltaFifo<ConfigMap>({ known: this.known });
  #version = 0;

  async play(step: Step): Promise<void> {
    if (step.type === "pop") await this.#pop(step.fails, step.during);
    else this.#write(step);
    const { fifo, model } = this;
    expect(fifo.keys().map((key) => [key, fifo.deltas(key)?.map(deltaText)])).toEqual(model.queued);
    expect(fifo.backlog).toBe(model.queued.reduce((sum, [, texts]) => sum + texts.length, 0));
  }

  #write(step: Step): void {
    const { model, fifo } = this;
    this.#version += 1;
    const version = String(this.#version);
    switch (step.type) {
      case "add":
      case "update":
        model.push(step.name, `${step.type === "add" ? "added" : "updated"} ${step.name}@${version}`);
        return fifo[step.type](configMap(`${step.name}@${version}`));
      case "delete":
        model.delete(step.name, `${step.name}@${version}`);
        return fifo.delete(configMap(`${step.name}@${version}`));
      case "replace":
        model.replace(step.names, version);
        return fifo.replace(step.names.map((name) => configMap(`${name}@${version}`)));
      case "resync":
        model.resync();
        return fifo.resync();
      default:
        return undefined; // a pop within a pop waits for itself
    }
  }

  async #pop(fails: boolean, during: readonly Step[]): Promise<void> {
    const taken = this.model.take();
    if (!taken) return;
    await this.fifo.pop(async (key, deltas) => {
      expect([key, deltas.map(deltaText)]).toEqual([`home/${taken.name}`, taken.texts]);
      for (const step of during) this.#write(step);
      if (fails) throw new RequeueError();
      this.#apply(taken.name, deltas);
    });
    this.model.done(fails);
  }

  #apply(name: string, deltas: Deltas<ConfigMap>): void {
    for (const { type, object } of deltas) {
      if (type === "deleted") this.known.delete(object);
      else this.known.add(object);
    }
    const stored = this.known.get(`home/${name}`);
    this.model.known.delete(name);
    if (stored) this.model.known.set(name, `${name}@${stored.metadata.resourceVersion}`);
  }
}

test("the queue has the deltas of a plain list, after any writes, pops and requeues", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 30 }), async (all) => {
      const pair = new Pair();
      for (const step of all) await pair.play(step);
    }),
    { numRuns: 300 },
  );
});

test("once everything is processed, the store has exactly the objects of the last list", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 30 }), fc.uniqueArray(names), async (all, listed) => {
      const pair = new Pair();
      for (const step of all) await pair.play(step);
      await pair.play({ type: "replace", names: listed });
      while (pair.fifo.size > 0) await pair.play({ type: "pop", fails: false, during: [] });
      expect([...pair.known.keys()].sort()).toEqual(listed.map((name) => `home/${name}`).sort());
    }),
    { numRuns: 300 },
  );
});
