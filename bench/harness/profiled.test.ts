import { expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import { profiled } from "./profiled.ts";

test("only ours runs under the profiler", async () => {
  const peer = (name: string) => ({ name, prepare: async () => ({ command: ["node", `${name}.js`] }) });
  const open = () => Promise.reject(new Error("expected no start"));
  const bench: Bench = {
    name: "fake",
    summary: "",
    cases: [],
    peers: [{ ...peer("ours"), ours: true }, peer("theirs")],
    open,
  };

  const prepared = await Promise.all(profiled(bench, "profiles").peers.map((each) => each.prepare()));

  expect(prepared).toEqual([
    { command: ["node", "--cpu-prof", "--cpu-prof-dir=profiles", "ours.js"] },
    { command: ["node", "theirs.js"] },
  ]);
});
