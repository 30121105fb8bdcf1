import { expect, test } from "vitest";
import { Item } from "./item.ts";
import { keepNewest } from "./reason-list.ts";

test("a processing item keeps no reasons, and a later add starts a new list", () => {
  const item = new Item<string, string>("a");
  item.begin({ reasons: ["created"] }, keepNewest);
  item.join({ reasons: ["changed"] }, keepNewest);
  const { reasons } = item;
  item.startProcessing();
  item.begin({ reasons: ["again"] }, keepNewest);
  item.join({ reasons: ["and again"] }, keepNewest);
  expect([reasons, item.reasons]).toEqual([
    ["created", "changed"],
    ["again", "and again"],
  ]);
  item.startProcessing();
  expect([item.state, item.reasons]).toEqual(["processing", []]);
});

test("merging reasons does not change the caller's arrays", () => {
  const item = new Item<string, string>("a");
  const [first, second] = [["one"], ["two"]];
  item.begin({ reasons: first }, keepNewest);
  for (const reasons of [second, ["three"], [], undefined]) item.join({ reasons }, keepNewest);
  expect([item.reasons, first, second]).toEqual([["one", "two", "three"], ["one"], ["two"]]);
});
