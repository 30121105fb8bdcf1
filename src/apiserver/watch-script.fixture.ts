import fc from "fast-check";
import { type Recorded, RecordedWatch, type Scope, selectors } from "./recorded-watch.fixture.ts";
import {
  type Happened,
  type Marks,
  type Place,
  WatchedWorld,
  watchedKinds,
} from "./watched-world.fixture.ts";

/** One thing that writers, watchers or time do. */
type Step =
  | { readonly do: "write"; readonly place: Place; readonly marks: Marks }
  /** Many changes of one object: more than are kept, perhaps. */
  | { readonly do: "rush"; readonly place: Place; readonly changes: number }
  | { readonly do: "delete"; readonly place: Place }
  | { readonly do: "watch"; readonly scope: Scope; readonly bookmarks: boolean; readonly from: number }
  /** Of the watches that were opened, taken round: `at` may be over their number. */
  | { readonly do: "reconnect" | "pause" | "resume"; readonly at: number }
  | { readonly do: "compact" }
  /** Longer than bookmarks are apart. */
  | { readonly do: "wait" };

export interface Played {
  readonly history: readonly Happened[];
  readonly watches: readonly Recorded[];
}

const names = Object.keys(selectors) as (keyof typeof selectors)[]; // its own keys

/** Half of all steps change something, and places are few, so that objects come, change and go. */
export const scripts: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(write(), { maxLength: 6 }), fc.array(step(), { minLength: 20, maxLength: 50 }))
  .map(([before, after]) => [...before, ...after]);

function step(): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 10, arbitrary: write() },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("rush"),
        place: place(),
        changes: fc.integer({ min: 2, max: 10 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("delete"), place: place() }) },
    { weight: 4, arbitrary: watch() },
    { weight: 3, arbitrary: touch("reconnect") },
    { weight: 4, arbitrary: touch("pause") },
    { weight: 2, arbitrary: touch("resume") },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("compact") }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("wait") }) },
  );
}

function write(): fc.Arbitrary<Step> {
  const marks = fc.record({
    colour: fc.constantFrom("red", "blue", undefined),
    phase: fc.constantFrom("Running", "Pending", undefined),
  });
  return fc.record({ do: fc.constant("write"), place: place(), marks });
}

function place(): fc.Arbitrary<Place> {
  return fc.record({
    kind: fc.constantFrom(...watchedKinds),
    namespace: fc.constantFrom("default", "kube-public"),
    name: fc.constantFrom("a", "b"),
  });
}

/** `from` says how far back in the past it begins; 0 is with what is there. */
function watch(): fc.Arbitrary<Step> {
  const scope = fc
    .record({
      kind: fc.constantFrom(...watchedKinds),
      namespace: fc.constantFrom("default", undefined),
      selector: fc.constantFrom(...names),
    })
    .map((wanted) => ({ ...wanted, ...narrowed(wanted) }));
  return fc.record({ do: fc.constant("watch"), scope, bookmarks: fc.boolean(), from: fc.nat(12) });
}

/** Only Pods have phases, and what has no namespace is watched in all. */
function narrowed({ kind, namespace, selector }: Scope): Partial<Scope> {
  return {
    selector: selector === "running" && kind !== "pods" ? "red" : selector,
    namespace: kind === "clusterroles" ? undefined : namespace,
  };
}

function touch<Do extends string>(what: Do): fc.Arbitrary<{ readonly do: Do; readonly at: number }> {
  return fc.record({ do: fc.constant(what), at: fc.nat(9) });
}

/** Plays a script on a server of its own, and lets everybody who is slow catch up in the end. */
export async function play(script: readonly Step[]): Promise<Played> {
  using world = new WatchedWorld();
  const open: RecordedWatch[] = [];
  const left: RecordedWatch[] = [];
  for (const step of script) await take(step, { world, open, left });
  for (const watch of open) watch.resume();
  const watches = await Promise.all([...left, ...open].map((watch) => watch.recorded()));
  return { history: world.history, watches };
}

interface Stage {
  readonly world: WatchedWorld;
  readonly open: RecordedWatch[];
  readonly left: RecordedWatch[];
}

async function take(step: Step, { world, open, left }: Stage): Promise<void> {
  switch (step.do) {
    case "write":
      return world.write(step.place, step.marks);
    case "rush":
      for (let change = 0; change < step.changes; change++) {
        await world.write(step.place, { colour: change % 2 === 0 ? "red" : "blue" });
      }
      return;
    case "delete":
      return world.delete(step.place);
    case "watch": {
      const from = step.from === 0 ? "initial" : Math.max(world.revision + 1 - step.from, 1);
      open.push(await RecordedWatch.open(world, { ...step, from }));
      return;
    }
    case "compact":
      return world.compact();
    case "wait":
      return world.test.clock.advance(61_000);
    default: {
      const at = step.at % Math.max(open.length, 1);
      const watch = open[at];
      if (!watch) return;
      if (step.do !== "reconnect") return watch[step.do]();
      left.push(watch);
      open[at] = await watch.reconnect();
    }
  }
}
