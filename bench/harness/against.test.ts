import { expect, test } from "vitest";
import { CheckoutError, withEarlier } from "./against.ts";
import type { Bench, Peer } from "./bench.ts";

const peer = (name: string, program: string, ours = false): Peer => ({
  name,
  ours,
  prepare: async () => ({ command: [program] }),
});

function benchOf(program: string): Bench {
  return {
    name: "reads",
    summary: "",
    peers: [peer("trimtab", program, true), peer("theirs", "theirs")],
    cases: [
      { name: "get", figures: [] },
      { name: "list", figures: [], peers: ["trimtab", "theirs"] },
      { name: "watch", figures: [], peers: ["theirs"] },
    ],
    open: () => Promise.reject(new Error("not opened")),
  };
}

test("ours of another checkout is an additional peer in every case of ours", async () => {
  const { peers, cases } = withEarlier(benchOf("new"), benchOf("old"));
  const commands = await Promise.all(peers.map(async ({ name, prepare }) => [name, await prepare()]));
  expect(commands).toEqual([
    ["trimtab", { command: ["new"] }],
    ["theirs", { command: ["theirs"] }],
    ["earlier", { command: ["old"] }],
  ]);
  expect(peers.map(({ ours }) => ours)).toEqual([true, false, false]);
  expect(cases.map((each) => each.peers)).toEqual([undefined, ["trimtab", "theirs", "earlier"], ["theirs"]]);
});

test("a bench that starts our programs itself, or measures none of ours, cannot run two checkouts", () => {
  const single = { ...benchOf("new"), singleCheckout: true };
  const without = { ...benchOf("new"), peers: [peer("theirs", "theirs")] };
  expect(() => withEarlier(single, benchOf("old"))).toThrow(CheckoutError);
  expect(() => withEarlier(without, benchOf("old"))).toThrow(CheckoutError);
});
