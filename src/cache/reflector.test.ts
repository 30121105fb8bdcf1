import { expect, test } from "vitest";
import { added, bookmark, deleted, initialEnd, modified, Reflected } from "./reflected.fixture.ts";
import { Stream } from "./scripted-transport.fixture.ts";

test("it begins with one stream of all there is, in the newest version, which goes on as the watch", async () => {
  const stream = new Stream().lines(added("a", "3"), added("b", "2"), initialEnd("10"));
  await using reflected = new Reflected([stream]);
  expect(await reflected.told()).toEqual(["replace 10 a@3 b@2"]);
  stream.lines(modified("a", "11"), deleted("b", "12"), bookmark("15"));
  expect(await reflected.told()).toEqual(["modified a@11", "deleted b@12", "bookmark 15"]);
  expect(await reflected.asked()).toEqual(['stream ""']);
  expect(reflected.reflector.health).toMatchObject({ phase: "watching", resourceVersion: "15", restarts: 0 });
});
