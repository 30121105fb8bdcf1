import { type Bench, goPeer, nodePeer, runCommand } from "../harness/index.ts";

const figures = [
  { name: "rate", unit: "M/s", better: "higher" },
  { name: "cpu", unit: "ns", better: "lower" },
] as const;

/** The arguments of the peers, by the name of a case. */
const cases = {
  "add, take, hand back": { operation: "cycle", size: 3_000_000 },
  "add queued keys": { operation: "again", size: 6_000_000 },
  "four workers": { operation: "workers", size: 2_000_000 },
};

export const bench: Bench = {
  name: "queue",
  summary: "the work queue beside client-go's: cycles, repeated adds, and workers that wait for keys",
  peers: [
    nodePeer({
      name: "trimtab",
      ours: true,
      program: new URL("../peers/queue/trimtab.ts", import.meta.url),
      needs: "trimtab/dist/queue/index.js",
    }),
    goPeer({ name: "client-go", package: "queue" }),
  ],
  cases: Object.keys(cases).map((name) => ({ name, figures })),
  targets: [{ peers: ["client-go"], figure: "rate", atLeast: 1.5 }],
  async open({ quick }) {
    return {
      run({ command, case: { name } }) {
        const { operation, size } = cases[name as keyof typeof cases]; // the cases above are complete
        return runCommand([...command, `--operation=${operation}`, `--size=${quick ? size / 10 : size}`]);
      },
      async [Symbol.asyncDispose]() {},
    };
  },
};
