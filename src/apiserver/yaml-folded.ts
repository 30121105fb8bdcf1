/** The last column that a line is not too long with. */
const widest = 80;

export interface FoldPlace {
  /** What stands before the lines that follow the first. */
  readonly indent: string;
  /** Where the first line begins. */
  readonly column: number;
}

/**
 * A text of one line, broken as Go's writer breaks it: at each first space after the 80th column. Only in double
 * quotes may others follow that space, and then a backslash keeps them.
 */
export function yamlFolded(text: string, { indent, column: first }: FoldPlace): string {
  if (first + text.length <= widest) return text;
  const lines: string[] = [];
  let [begin, column] = [0, first];
  for (const { index } of text.matchAll(text.startsWith('"') ? firstSpaces : singleSpaces)) {
    if (column + lengthOf(text.slice(begin, index)) <= widest || isAtQuote(text, index)) continue;
    lines.push(text.slice(begin, index));
    [begin, column] = [index + 1, indent.length];
  }
  return [...lines, text.slice(begin)].map(withSpacesKept).join(`\n${indent}`);
}

const firstSpaces = /(?<! ) /g;
const singleSpaces = /(?<! ) (?! )/g;

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Whether the space is the first or the last thing in quotes. */
function isAtQuote(text: string, index: number): boolean {
  return /^['"]/.test(text) && (index === 1 || index === text.length - 2);
}

function withSpacesKept(line: string, index: number): string {
  return index > 0 && line.startsWith(" ") ? `\\${line}` : line;
}
