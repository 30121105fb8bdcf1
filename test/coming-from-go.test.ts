import { expect, test } from "vitest";
import { read } from "./repository.ts";
import { codeOf } from "./source-text.ts";

const path = "docs/coming-from-go.md";
const document = read(path);
const compiled = ["test/coming-from-go.test-d.ts", "test/coming-from-go-tests.test-d.ts"]
  .map(read)
  .join("\n");
const rows = rowsOf(document);

test(`every code cell of ${path} is a compiled statement, in the same order`, () => {
  const cells = rows.filter(([header]) => header === "Go").map(([, , code = ""]) => code);
  expect(cells.filter((cell) => cell !== "").map(withoutTicks)).toEqual(statementsOf(compiled));
});

test(`the import block of ${path} has the compiled imports, by the name of the package`, () => {
  const [, block = ""] = /```ts\n(.*?)```/s.exec(document) ?? [];
  expect(namesByPackage(importsOf(block))).toEqual(namesByPackage(importsOf(compiled)));
});

test(`every name in the Trimtab and Notes columns of ${path} is compiled or public`, () => {
  const known = new Set([...wordsOf(codeOf(compiled)), ...wordsOf(read("test/public-names.txt"))]);
  const named = rows
    .flatMap(([, , ...cells]) => cells.flatMap(spansOf))
    .flatMap((span) => wordsOf(codeOf(span)));
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter((word) => !known.has(word))).toEqual([]);
});

test("rows, statements, imports and names are parsed", () => {
  const table =
    '| Go | Trimtab | Notes |\n|---|---|---|\n| `A`, `B` | `a("x")` | See `b.c`. |\n| `D` | | Gone. |\n';
  expect(rowsOf(`text | text\n${table}\n| E | F |\n|---|---|\n| e | f |`)).toEqual([
    ["Go", "`A`, `B`", '`a("x")`', "See `b.c`."],
    ["Go", "`D`", "", "Gone."],
    ["E", "e", "f"],
  ]);
  expect(spansOf("See `b.c` and `d()`.")).toEqual(["b.c", "d()"]);
  const code =
    'import type { T } from "x";\nimport {\n  a,\n} from "../src/a/index.ts";\nfunction f() {\n  a(1);\n}\nb();\n';
  expect(statementsOf(code)).toEqual(["a(1)"]);
  expect(importsOf(code).map(byPackageName)).toEqual(['import {\n  a,\n} from "trimtab/a";']);
  expect(
    namesByPackage(['import { b } from "x";', 'import { a, b } from "x";', 'import { c } from "y";']),
  ).toEqual({
    x: ["a", "b"],
    y: ["c"],
  });
  expect(byPackageName('import { Pod } from "../src/api/types/core/v1.ts";')).toBe(
    'import { Pod } from "trimtab/api/core/v1";',
  );
  expect(byPackageName('import { manager } from "../src/index.ts";')).toBe(
    'import { manager } from "trimtab";',
  );
});

/** Returns the rows of all Markdown tables: the first cell of the header, then the cells of the row. */
function rowsOf(text: string): string[][] {
  const tables = text.matchAll(/^\| (.+?) \|.*\n\|[-|]+\|\n((?:\|.*(?:\n|$))+)/gm);
  return Array.from(tables, ([, header = "", body = ""]) =>
    body
      .trimEnd()
      .split("\n")
      .map((row) => [header, ...cellsOf(row)]),
  ).flat();
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

/** Returns the code spans of Markdown, without their backticks. */
function spansOf(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, span = ""]) => span);
}

/** Returns the code of a cell that is one code span, and any other cell unchanged. */
function withoutTicks(cell: string): string {
  return cell.replace(/^`([^`]+)`$/, "$1");
}

/** Returns the lines of all function bodies, without indentation and semicolon. */
function statementsOf(code: string): string[] {
  const bodies = code.matchAll(/^(?:export )?(?:async )?function .*\{\n([\s\S]*?)^\}$/gm);
  return Array.from(bodies, ([, body = ""]) => body.trimEnd().split("\n"))
    .flat()
    .map((line) => line.replace(/^ {2}(.*);$/, "$1"));
}

/** Returns the imports of values. */
function importsOf(code: string): string[] {
  return Array.from(code.matchAll(/^import \{[^}]*\} from "[^"]+";$/gm), ([statement]) => statement);
}

/** Returns the import with the specifier that a user of the package writes. */
function byPackageName(statement: string): string {
  return statement
    .replace(/"\.\.\/src\/(?:(.+)\/)?index\.ts"/, (_, folder) =>
      folder ? `"trimtab/${folder}"` : '"trimtab"',
    )
    .replace(/"\.\.\/src\/api\/types\/(.+)\.ts"/, '"trimtab/api/$1"');
}

/** Returns the imported names by package, sorted. */
function namesByPackage(imports: readonly string[]): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const statement of imports.map(byPackageName)) {
    const [, list = "", specifier = ""] = /\{([^}]*)\} from "([^"]+)"/.exec(statement) ?? [];
    names[specifier] = [...new Set([...(names[specifier] ?? []), ...wordsOf(list)])].sort();
  }
  return names;
}

function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}
