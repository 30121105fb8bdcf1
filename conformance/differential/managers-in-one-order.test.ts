import { expect, test } from "vitest";
import { managersInOneOrder } from "./managers-in-one-order.ts";

test("managers are told in one order, whoever was first, and other lists as they are", () => {
  const said = (...managers: readonly string[]) => ({
    items: [
      { metadata: { finalizers: ["b", "a"], managedFields: managers.map((manager) => ({ manager })) } },
    ],
  });
  expect(managersInOneOrder(said("b", "a"))).toEqual(said("a", "b"));
});
