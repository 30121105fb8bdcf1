import { expect, test } from "vitest";
import { codeOf, importsOf } from "./source-text.ts";

test.each([
  ["a value import", `import { a } from "./a.ts";`, ["./a.ts"]],
  ["a type import", `import type { A } from "./a.ts";`, ["./a.ts"]],
  ["an import over several lines", `import {\n  a,\n  type B,\n} from "./a.ts";`, ["./a.ts"]],
  ["an import for its effects", `import "./a.ts";`, ["./a.ts"]],
  ["a re-export", `export { a } from "./a.ts";\nexport * from "./b.ts";`, ["./a.ts", "./b.ts"]],
  ["a dynamic import", `const a = await import("./a.ts");`, ["./a.ts"]],
  ["the type of a module", `type A = typeof import("./a.ts");`, ["./a.ts"]],
  ["an import in a comment", `// from "./a.ts"\n/* import "./b.ts" */`, []],
  ["an import in a template", 'const text = `import "./a.ts"`;', []],
  [
    "an import after a regular expression with a quote",
    `const quote = /["']/;\nimport "./a.ts";`,
    ["./a.ts"],
  ],
  ["an import after a URL", `const url = "https://a.test/*";\nimport "./a.ts"; // */`, ["./a.ts"]],
])("%s is recognized", (_, text, specifiers) => {
  expect(importsOf(text)).toEqual(specifiers);
});

test("comments and quoted strings are blanked, and lines keep their numbers", () => {
  const text = `/* one\ntwo */ const a = "setTimeout('x')"; // three\nb(1 / 2, \`\${c}\`);`;
  expect(codeOf(text)).toBe(`      \n       const a =                  ;         \nb(1 / 2, \`\${c}\`);`);
});
