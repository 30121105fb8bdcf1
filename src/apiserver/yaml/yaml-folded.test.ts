import { expect, test } from "vitest";
import { yamlFolded } from "./yaml-folded.ts";

const place = { indent: "  ", column: "message: ".length };
const [seventy, ten] = ["x".repeat(70), "y".repeat(10)];

test.each([
  ["a line of 80 columns is not too long", `${seventy} ${ten} z`, `${seventy} ${ten}\n  z`],
  ["a text without spaces is not broken", `${seventy}${ten}${ten}`, `${seventy}${ten}${ten}`],
  ["several spaces stay together", `${seventy} ${ten}  ${ten} z`, `${seventy} ${ten}  ${ten}\n  z`],
  ["in double quotes a backslash preserves spaces", `"${seventy} ${ten}  z"`, `"${seventy} ${ten}\n  \\ z"`],
  ["a space beside a quote stays", `'${seventy}${ten} '`, `'${seventy}${ten} '`],
])("%s", (_, text, folded) => {
  expect(yamlFolded(text, place)).toBe(folded);
});
