import { expect, test } from "vitest";
import { settled } from "../base/index.ts";
import { KeptSource } from "./kept-source.ts";

/** A source that is told what to give, and says when it was ended. */
function source(): {
  readonly keys: AsyncIterable<string>;
  give(key: string): void;
  readonly ended: () => boolean;
} {
  let resolve: (result: IteratorResult<string>) => void = () => {};
  let ended = false;
  const iterator: AsyncIterator<string> = {
    next: () =>
      new Promise((give) => {
        resolve = give;
      }),
    return: async () => {
      ended = true;
      return { done: true, value: undefined };
    },
  };
  return {
    keys: { [Symbol.asyncIterator]: () => iterator },
    give: (value) => resolve({ done: false, value }),
    ended: () => ended,
  };
}

test("one reads after the other, and who leaves does not end it", async () => {
  const { keys, give, ended } = source();
  const kept = new KeptSource(keys);
  const first = kept[Symbol.asyncIterator]();
  const one = first.next();
  give("a");
  expect(await one).toEqual({ done: false, value: "a" });
  await first.return?.();
  const two = kept[Symbol.asyncIterator]().next();
  give("b");
  expect([await two, ended()]).toEqual([{ done: false, value: "b" }, false]);
});

test("what was asked for by one who left goes to the next", async () => {
  const { keys, give } = source();
  const kept = new KeptSource(keys);
  const first = kept[Symbol.asyncIterator]();
  void first.next();
  await first.return?.();
  give("a");
  await settled();
  expect(await kept[Symbol.asyncIterator]().next()).toEqual({ done: false, value: "a" });
});

test("it is ended when nobody will read it any more", async () => {
  const { keys, ended } = source();
  const kept = new KeptSource(keys);
  kept.end();
  expect(ended()).toBe(false); // nobody has begun
  void kept[Symbol.asyncIterator]().next();
  kept.end();
  expect(ended()).toBe(true);
});
