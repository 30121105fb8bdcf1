import { expect, test } from "vitest";
import { Item } from "./item.ts";
import { keepNewest } from "./reason-list.ts";

test("reasons go with a key that leaves: one that is out or rests keeps none", () => {
  const item = new Item<string, string>("a");
  item.begin({ reasons: ["created"] }, keepNewest);
  item.join({ reasons: ["changed"] }, keepNewest);
  const { reasons } = item;
  item.leave();
  item.begin({ reasons: ["again"] }, keepNewest);
  item.join({ reasons: ["and again"] }, keepNewest);
  expect([reasons, item.reasons]).toEqual([
    ["created", "changed"],
    ["again", "and again"],
  ]);
  item.leave();
  expect([item.place, item.reasons]).toEqual(["processing", []]);
});

test("reasons that join others are added to no array of the caller's", () => {
  const item = new Item<string, string>("a");
  const [first, second] = [["one"], ["two"]];
  item.begin({ reasons: first }, keepNewest);
  for (const reasons of [second, ["three"], [], undefined]) item.join({ reasons }, keepNewest);
  expect([item.reasons, first, second]).toEqual([["one", "two", "three"], ["one"], ["two"]]);
});
