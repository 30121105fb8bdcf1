import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type Bench, readBaseline } from "./harness/index.ts";

const folder = new URL("./benches/", import.meta.url);
const files = readdirSync(folder).sort();

async function load(file: string): Promise<Bench> {
  return ((await import(`${folder}${file}`)) as { bench: Bench }).bench; // every file there exports this
}

test.each(files)("%s: targets and cases name existing peers and figures", async (file) => {
  const { name, peers, cases, targets = [] } = await load(file);
  const known = peers.map((peer) => peer.name);
  const figures = cases.flatMap((each) => each.figures.map((figure) => figure.name));
  const named = [...targets, ...cases].flatMap((each) => each.peers ?? []);
  expect([
    `${name}.ts`,
    named.filter((peer) => !known.includes(peer)),
    targets.map(({ figure }) => figure).filter((figure) => !figures.includes(figure)),
    cases.length - new Set(cases.map((each) => each.name)).size,
    peers.filter(({ ours }) => ours).length <= 1,
  ]).toEqual([file, [], [], 0, true]);
});

test.each(files)(
  "%s: a bare socket is beside clients where lateness is measured, and is no target",
  async (file) => {
    const { peers, cases, targets = [] } = await load(file);
    const floor = "bare socket";
    const beside = cases.filter((each) => (each.peers ?? peers.map(({ name }) => name)).includes(floor));
    const timed = cases.filter((each) =>
      each.figures.some(({ unit, name }) => name === "p99" && unit === "us"),
    );
    expect([beside, targets.filter((target) => target.peers.includes(floor))]).toEqual([timed, []]);
  },
);

test("every figure of BASELINE.json belongs to a bench, with its unit and direction", async () => {
  const benches = await Promise.all(files.map(load));
  const known = benches.flatMap(({ name, cases }) =>
    cases.flatMap((each) =>
      each.figures.map(({ name: figure, unit, better }) =>
        [name, each.name, figure, unit, better].join("; "),
      ),
    ),
  );
  const recorded = Object.entries(readBaseline().benches).flatMap(([name, { ours, bareSocket = {} }]) =>
    [...Object.entries(ours), ...Object.entries(bareSocket)].flatMap(([inCase, figures]) =>
      Object.entries(figures).map(([figure, { unit, better }]) =>
        [name, inCase, figure, unit, better].join("; "),
      ),
    ),
  );
  expect(recorded.length).toBeGreaterThan(100);
  expect(recorded.filter((figure) => !known.includes(figure))).toEqual([]);
});
