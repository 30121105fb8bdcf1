import { expect, test } from "vitest";
import { behaviours } from "./controller-runtime-webhooks.ts";
import { read } from "./repository.ts";

const differences = ["docs/webhooks.md", "docs/coming-from-go.md"].flatMap((path) =>
  firstCellsOf(read(path)),
);

test("each behaviour of controller-runtime's webhooks has a test here, or a row of the differences", () => {
  const missing = behaviours.filter(({ shownBy }) =>
    shownBy.type === "row"
      ? !differences.includes(shownBy.cell)
      : !read(shownBy.file).includes(`"${shownBy.title}"`),
  );
  expect(behaviours.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

function firstCellsOf(document: string): string[] {
  return Array.from(document.matchAll(/^\| (.+?) \|/gm), ([, cell = ""]) => cell);
}
