import { expect, test } from "vitest";
import { Item } from "./item.ts";

test("reasons go with a key that leaves: one that is out or rests keeps none", () => {
  const item = new Item<string, string>("a");
  item.begin(0, ["created"]);
  item.join(0, ["changed"]);
  const { reasons } = item;
  item.leave();
  item.begin(0, ["again"]);
  item.join(0, ["and again"]);
  expect([reasons, item.reasons]).toEqual([
    ["created", "changed"],
    ["again", "and again"],
  ]);
  item.leave();
  expect([item.place, item.reasons]).toEqual(["out", []]);
});

test("reasons that join others are added to no array of the caller's", () => {
  const item = new Item<string, string>("a");
  const [first, second] = [["one"], ["two"]];
  item.begin(0, first);
  for (const reasons of [second, ["three"], [], undefined]) item.join(0, reasons);
  expect([item.reasons, first, second]).toEqual([["one", "two", "three"], ["one"], ["two"]]);
});

test("many reasons for one key take time in proportion", () => {
  const item = new Item<string, number>("a");
  item.begin(0, [0]);
  for (let reason = 1; reason < 200_000; reason++) item.join(0, [reason]);
  expect([item.reasons.length, item.reasons.at(-1)]).toEqual([200_000, 199_999]);
});
