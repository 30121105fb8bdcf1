import fc from "fast-check";
import { expect, test } from "vitest";
import { entryOf, Thing, thing } from "./objects.fixture.ts";
import { Overlay } from "./overlay.ts";
import { Store } from "./store.ts";

/** What somebody does to an object; the watch brings some of what was done; answers of own writes come, or later. */
type Step =
  | {
      readonly type: "write" | "delete";
      readonly name: string;
      readonly own: boolean;
      readonly late: boolean;
    }
  | { readonly type: "watch"; readonly events: number }
  | { readonly type: "bookmark" | "answers" };

const name = fc.constantFrom("a", "b");
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constantFrom("write" as const, "write" as const, "delete" as const),
        name,
        own: fc.boolean(),
        late: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant("watch" as const), events: fc.integer({ min: 1, max: 4 }) }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("bookmark" as const, "answers" as const) }) },
  ),
  { maxLength: 40 },
);

test("whatever comes in whatever order, no read is older than an answer before it, and at rest all is the server's", () => {
  fc.assert(
    fc.property(steps, (history) => {
      const world = new World();
      for (const step of history) {
        world.take(step);
        world.check();
      }
      world.rest();
    }),
    { numRuns: 500 },
  );
});

interface Moment {
  readonly version: number;
  readonly name: string;
  /** `undefined` from when it is gone. */
  readonly object: Thing | undefined;
}

class World {
  readonly #store = new Store<Thing>();
  readonly #overlay = new Overlay<Thing>({ kind: Thing, store: this.#store, covers: () => true });
  /** All that ever happened at the server. */
  readonly #log: Moment[] = [];
  #seen = 0;
  #version = 1;
  #uids = 0;
  /** Answers that are under way. */
  #answers: (() => void)[] = [];
  /** Of each object, the version of the newest answer. */
  readonly #answered = new Map<string, number>();

  take(step: Step): void {
    switch (step.type) {
      case "write":
        return this.#write(step);
      case "delete":
        return this.#delete(step);
      case "watch":
        return this.#watch(step.events);
      case "bookmark":
        this.#watch(this.#log.length);
        return this.#store.reach(String(++this.#version));
      default:
        for (const answer of this.#answers.splice(0).reverse()) answer();
    }
  }

  /** A read is what the server had at some time since the answer. */
  check(): void {
    for (const [name, since] of this.#answered) {
      const read = this.#overlay.get(`home/${name}`)?.metadata.resourceVersion;
      expect(this.#statesSince(name, since)).toContain(read);
      expect(this.#overlay.list().find((each) => each.metadata.name === name)?.metadata.resourceVersion).toBe(
        read,
      );
    }
  }

  rest(): void {
    this.take({ type: "answers" });
    this.check();
    this.#watch(this.#log.length);
    const there = ["a", "b"].flatMap((name) => this.#latest(name)?.metadata.resourceVersion ?? []);
    const read = ["a", "b"].flatMap(
      (name) => this.#overlay.get(`home/${name}`)?.metadata.resourceVersion ?? [],
    );
    expect({ read, size: this.#overlay.size }).toEqual({ read: there, size: 0 });
  }

  #write({ name, own, late }: Extract<Step, { readonly own: boolean }>): void {
    const { uid = `${++this.#uids}` } = this.#latest(name)?.metadata ?? {};
    const object = thing(`home/${name}`, this.#next(), { metadata: { uid } as Thing["metadata"] });
    this.#happen(name, object);
    if (own) this.#answer(late, name, () => this.#overlay.wrote(object));
  }

  #delete({ name, own, late }: Extract<Step, { readonly own: boolean }>): void {
    const latest = this.#latest(name);
    if (!latest) return;
    const read = this.#overlay.get(`home/${name}`);
    const object = read?.metadata.uid === latest.metadata.uid ? read : latest;
    this.#next();
    this.#happen(name, undefined);
    if (own) this.#answer(late, name, () => this.#overlay.deleted(object));
  }

  #answer(late: boolean, name: string, tell: () => void): void {
    const version = this.#version;
    const answer = (): void => {
      tell();
      this.#answered.set(name, Math.max(version, this.#answered.get(name) ?? 0));
    };
    if (late) this.#answers.push(answer);
    else answer();
  }

  #next(): number {
    this.#version += 1;
    return this.#version;
  }

  #happen(name: string, object: Thing | undefined): void {
    this.#log.push({ version: this.#version, name, object });
  }

  #latest(name: string): Thing | undefined {
    return this.#log.findLast((moment) => moment.name === name)?.object;
  }

  #watch(events: number): void {
    for (const { version, name, object } of this.#log.slice(this.#seen, this.#seen + events)) {
      if (object) this.#store.put(entryOf(object, this.#store.slab));
      else this.#store.remove("home", name);
      this.#store.reach(String(version));
      this.#seen += 1;
    }
  }

  #statesSince(name: string, version: number): (string | undefined)[] {
    const moments = this.#log.filter((moment) => moment.name === name && moment.version >= version);
    return moments.map(({ object }) => object?.metadata.resourceVersion);
  }
}
