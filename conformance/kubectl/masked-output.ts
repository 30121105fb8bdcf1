/**
 * Returns the output of a command with values that differ between runs replaced by `<age>`, `<uid>` and so on. Columns
 * are separated by two spaces, since their width depends on these values.
 */
export function maskedOutput(text: string): string {
  const known = masks.reduce((masking, [pattern, mask]) => masking.replaceAll(pattern, mask), text);
  return known
    .split("\n")
    .map((line) => line.replaceAll(columns, "  ").trimEnd())
    .join("\n")
    .trimEnd();
}

/** Spaces between columns, without indentation and without the rest of a line in a diff. */
const columns = /(?<=[^\s+-]|.[+-]) {2,}/g;

const masks: readonly (readonly [RegExp, string])[] = [
  // Log lines of kubectl's libraries are not part of the output.
  [/^[IWE]\d{4} \d\d:\d\d:\d\d\.\d+ .*\n/gm, ""],
  [/https?:\/\/(127\.0\.0\.1|localhost):\d+/g, "<server>"],
  [/\/\S+\/kubectl-edit-\d+\.yaml/g, "<file>"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uid>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, "<time>"],
  [/("?resourceVersion"?: ?)"\d+"/g, '$1"<version>"'],
  [/(?<=v[\d.]+)\+trimtab/g, ""],
  [/(?<=resource version to be \d+, was )\d+/g, "<version>"],
  [/(?<=Resource Version: +)\d+/g, "<version>"],
  [/(?<=\\"resourceVersion\\":\\")\d+/g, "<version>"],
  [/\b10\.(0\.0|96\.\d{1,3})\.\d{1,3}\b/g, "<ip>"],
  [/\b3[012]\d{3}(?=\/(TCP|UDP)|$)/gm, "<port>"],
  [/(?<=[\s(])((\d+m)?\d+s|\d+y\d+d)(?=[\s)]|$)/g, "<age>"],
];
