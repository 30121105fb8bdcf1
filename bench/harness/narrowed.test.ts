import { expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import { narrowed } from "./narrowed.ts";

const peer = (name: string) => ({ name, prepare: async () => ({ skipped: "" }) });
const bench: Bench = {
  name: "fake",
  summary: "",
  rounds: 3,
  peers: [{ ...peer("trimtab"), ours: true }, peer("client-go JSON"), peer("kube-rs")],
  cases: [
    { name: "sync of pods", figures: [] },
    { name: "updates", figures: [] },
  ],
  open: () => Promise.reject(new Error("expected no start")),
};

test("a bench can be narrowed to some cases and peers, always with ours", () => {
  const { cases, peers, rounds } = narrowed(bench, { case: "sync", peer: "client-go", rounds: 1 });

  expect(cases.map(({ name }) => name)).toEqual(["sync of pods"]);
  expect(peers.map(({ name }) => name)).toEqual(["trimtab", "client-go JSON"]);
  expect(rounds).toBe(1);
});

test("an unknown case is an error that lists the existing ones", () => {
  expect(() => narrowed(bench, { case: "sink" })).toThrow(
    'expected a part of the name of a case ("sync of pods", "updates"), got "sink"',
  );
});

test("without options the bench is complete", () => {
  expect(narrowed(bench, {})).toEqual(bench);
});
