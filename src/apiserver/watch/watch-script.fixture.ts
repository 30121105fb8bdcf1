import fc from "fast-check";
import { type Recorded, RecordedWatch, type Scope, selectors } from "./recorded-watch.fixture.ts";
import {
  type Marks,
  type Place,
  type RecordedWrite,
  WatchedWorld,
  watchedKinds,
} from "./watched-world.fixture.ts";

/** A step of a writer, a watcher or the clock. */
type Step =
  | { readonly do: "write"; readonly place: Place; readonly marks: Marks }
  /** Many changes of one object, possibly more than the history holds. */
  | { readonly do: "rush"; readonly place: Place; readonly changes: number }
  | { readonly do: "delete"; readonly place: Place }
  | { readonly do: "watch"; readonly scope: Scope; readonly bookmarks: boolean; readonly from: number }
  /** `at` chooses one of the open watches, modulo their number. */
  | { readonly do: "reconnect" | "pause" | "resume"; readonly at: number }
  | { readonly do: "compact" }
  /** Waits longer than the interval of bookmarks. */
  | { readonly do: "wait" };

export interface ScriptResult {
  readonly history: readonly RecordedWrite[];
  readonly watches: readonly Recorded[];
}

const names = Object.keys(selectors) as (keyof typeof selectors)[]; // the keys of the object above

/** Half of all steps are writes to few objects, so that objects are created, changed and deleted. */
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
    { weight: 3, arbitrary: watchStep("reconnect") },
    { weight: 4, arbitrary: watchStep("pause") },
    { weight: 2, arbitrary: watchStep("resume") },
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

/** `from` is the number of revisions back at which the watch starts; 0 starts with the stored objects. */
function watch(): fc.Arbitrary<Step> {
  const scope = fc
    .record({
      kind: fc.constantFrom(...watchedKinds),
      namespace: fc.constantFrom("default", undefined),
      selector: fc.constantFrom(...names),
    })
    .map((scope) => ({ ...scope, ...narrowed(scope) }));
  return fc.record({ do: fc.constant("watch"), scope, bookmarks: fc.boolean(), from: fc.nat(12) });
}

/** Restricts a scope: only Pods have phases, and cluster-scoped kinds have no namespace. */
function narrowed({ kind, namespace, selector }: Scope): Partial<Scope> {
  return {
    selector: selector === "running" && kind !== "pods" ? "red" : selector,
    namespace: kind === "clusterroles" ? undefined : namespace,
  };
}

function watchStep<Do extends string>(what: Do): fc.Arbitrary<{ readonly do: Do; readonly at: number }> {
  return fc.record({ do: fc.constant(what), at: fc.nat(9) });
}

/** Plays a script on its own server. In the end, paused watches are resumed. */
export async function play(script: readonly Step[]): Promise<ScriptResult> {
  using world = new WatchedWorld();
  const open: RecordedWatch[] = [];
  const closed: RecordedWatch[] = [];
  for (const step of script) await runStep(step, { world, open, closed });
  for (const watch of open) watch.resume();
  const watches = await Promise.all([...closed, ...open].map((watch) => watch.recorded()));
  return { history: world.history, watches };
}

interface Stage {
  readonly world: WatchedWorld;
  readonly open: RecordedWatch[];
  readonly closed: RecordedWatch[];
}

async function runStep(step: Step, { world, open, closed }: Stage): Promise<void> {
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
      closed.push(watch);
      open[at] = await watch.reconnect();
    }
  }
}
