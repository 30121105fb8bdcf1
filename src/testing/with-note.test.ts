import { expect, test } from "vitest";
import { withNote } from "./with-note.ts";

test("a note is added to the message and the stack of the same error", () => {
  const error = Object.assign(new RangeError("a $& b"), { expected: 1 });
  const noted = withNote(error, "\n\nnote");
  expect([noted === error, noted.message, noted.stack?.split("    at ")[0]]).toEqual([
    true,
    "a $& b\n\nnote",
    "RangeError: a $& b\n\nnote\n",
  ]);
});

test("an empty note changes nothing", () => {
  const error = Object.freeze(new Error("a"));
  expect(withNote(error, "")).toBe(error);
});

test.each([Object.freeze(new Error("a")), new DOMException("a")])(
  "an error whose message cannot be changed becomes the cause: %s",
  (error) => {
    expect(withNote(error, ", note")).toEqual(new Error("a, note", { cause: error }));
  },
);
