import { expect, test } from "vitest";
import { managersInOneOrder } from "./managers-in-one-order.ts";

test("managers are sorted, and other lists are kept", () => {
  const said = (...managers: readonly string[]) => ({
    items: [
      { metadata: { finalizers: ["b", "a"], managedFields: managers.map((manager) => ({ manager })) } },
    ],
  });
  expect(managersInOneOrder(said("b", "a"))).toEqual(said("a", "b"));
});
