/** The last column of a line that is not too long. */
const maxColumn = 80;

export interface FoldPlace {
  /** The indent of the lines after the first. */
  readonly indent: string;
  /** The column at which the first line starts. */
  readonly column: number;
}

/**
 * Breaks a text of one line like Go's writer: at the first space after column 80. Inside double quotes the line may
 * break before further spaces, which a backslash preserves.
 */
export function yamlFolded(text: string, { indent, column: first }: FoldPlace): string {
  if (first + text.length <= maxColumn) return text;
  const lines: string[] = [];
  let [begin, column] = [0, first];
  for (const { index } of text.matchAll(text.startsWith('"') ? firstSpaces : singleSpaces)) {
    if (column + lengthOf(text.slice(begin, index)) <= maxColumn || isAtQuote(text, index)) continue;
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

/** Returns true if the space is the first or the last character inside quotes. */
function isAtQuote(text: string, index: number): boolean {
  return /^['"]/.test(text) && (index === 1 || index === text.length - 2);
}

function withSpacesKept(line: string, index: number): string {
  return index > 0 && line.startsWith(" ") ? `\\${line}` : line;
}
