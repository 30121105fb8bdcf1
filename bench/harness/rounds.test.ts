import { expect, test } from "vitest";
import type { Bench, Peer } from "./bench.ts";
import { runCommand } from "./command.ts";
import { runRounds } from "./rounds.ts";

/** A program that prints lines. */
function printing(name: string, ...lines: readonly string[]): Peer {
  const script = lines.map((line) => `console.log(${JSON.stringify(line)})`).join(";");
  return { name, prepare: async () => ({ command: [process.execPath, "--eval", script] }) };
}

function benchOf(peers: readonly Peer[], seen: string[] = []): Bench {
  return {
    name: "fake",
    summary: "",
    peers,
    rounds: 2,
    cases: [
      { name: "a", figures: [{ name: "rate", unit: "/s", better: "higher" }] },
      { name: "b", figures: [{ name: "rate", unit: "/s", better: "higher" }] },
    ],
    open: async () => ({
      run: async ({ peer, command, case: { name } }) => {
        seen.push(`${name} ${peer}`);
        return runCommand(command);
      },
      notes: () => ["noted"],
      [Symbol.asyncDispose]: async () => void seen.push("closed"),
    }),
  };
}

test("peers alternate within a case, with another one first in each round", async () => {
  const seen: string[] = [];
  const peers = [printing("x", '{"figure":"rate","value":1}'), printing("y", '{"figure":"rate","value":1}')];

  await runRounds(benchOf(peers, seen), { quick: false, progress: () => {} });

  expect(seen).toEqual(["a x", "a y", "b x", "b y", "a y", "a x", "b y", "b x", "closed"]);
});

test("figures are the lines of JSON in a peer's output, and other lines are ignored", async () => {
  const ours = { ...printing("ours", "hello", '{"figure":"rate","value":6}', "{bye"), ours: true };
  const theirs = printing("theirs", '{"figure":"rate","value":2}');

  const outcome = await runRounds(benchOf([ours, theirs]), { quick: true, progress: () => {} });

  expect(outcome).toEqual({
    rows: ["a", "b"].flatMap((name) => {
      const row = { bench: "fake", figure: `${name}: rate`, unit: "/s", better: "higher" };
      return [
        { ...row, peer: "ours", value: 6, min: 6, max: 6, ratio: 1 },
        { ...row, peer: "theirs", value: 2, min: 2, max: 2, ratio: 3 },
      ];
    }),
    skipped: [],
    failed: [],
    notes: ["noted"],
  });
});

test("progress shows the figures of a finished case", async () => {
  const progress: string[] = [];
  const bench = benchOf([printing("x", '{"figure":"rate","value":1}', '{"figure":"other","value":2}')]);
  const [first] = bench.cases;
  const memory = { name: "memory", unit: "MB", better: "lower" } as const;
  const cases = [{ name: "a", figures: [...(first?.figures ?? []), memory] }];

  await runRounds({ ...bench, cases }, { quick: true, progress: (line) => void progress.push(line) });

  expect(progress).toEqual(["round 1/1  a  x  rate 1 /s"]);
});

test("a case runs for the peers it names, and a quick run skips cases that exclude it", async () => {
  const figure = '{"figure":"rate","value":1}';
  const sent = async (quick: boolean): Promise<string[]> => {
    const seen: string[] = [];
    const bench = benchOf([printing("x", figure), printing("y", figure)], seen);
    const [first, second] = bench.cases;
    const cases = [
      { figures: [], name: "a", ...first, peers: ["y"] },
      { figures: [], name: "b", ...second, quick: false },
    ];
    await runRounds({ ...bench, cases, rounds: 1 }, { quick, progress: () => {} });
    return seen;
  };

  expect(await sent(true)).toEqual(["a y", "closed"]);
  expect(await sent(false)).toEqual(["a y", "b x", "b y", "closed"]);
});

test("a peer that cannot run is skipped with the reason, and a failed case is not repeated", async () => {
  const progress: string[] = [];
  const absent = { name: "absent", prepare: async () => ({ skipped: "go is not installed" }) };
  const failing = {
    name: "failing",
    prepare: async () => ({ command: [process.execPath, "--eval", "throw new RangeError('too far')"] }),
  };

  const outcome = await runRounds(benchOf([absent, failing]), {
    quick: false,
    progress: (line) => void progress.push(line),
  });

  const reason = "expected figures, got code 1: RangeError: too far";
  expect(outcome).toEqual({
    rows: [],
    skipped: [{ peer: "absent", reason: "go is not installed" }],
    failed: [
      { peer: "failing", case: "a", reason },
      { peer: "failing", case: "b", reason },
    ],
    notes: ["noted"],
  });
  expect(progress).toEqual([
    "absent is skipped: go is not installed",
    `round 1/2  a  failing  failed: ${reason}`,
    `round 1/2  b  failing  failed: ${reason}`,
  ]);
});

test("a program that exits with 0 and without a figure has failed", async () => {
  await expect(runCommand([process.execPath, "--eval", ""])).rejects.toThrow("expected figures, got code 0");
});
