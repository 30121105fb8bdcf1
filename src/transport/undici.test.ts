import * as undici from "undici";
import { expect, test } from "vitest";
import * as parts from "./undici.ts";

test("the parts of undici that are loaded are those it exports", () => {
  const { buildConnector, Client, Pool } = undici;
  expect(Object.entries(parts).sort()).toEqual(Object.entries({ buildConnector, Client, Pool }).sort());
});
