/** Returns lines that show where two values differ: `  ` for common lines, `-` and `+` for lines of one side. */
export function differenceOf(left: unknown, right: unknown): string {
  return edits(linesOf(left), linesOf(right)).join("\n");
}

/** Returns true if two JSON values are equal, ignoring the order of fields. */
export function same(left: unknown, right: unknown): boolean {
  return linesOf(left).join("\n") === linesOf(right).join("\n");
}

function linesOf(value: unknown): string[] {
  return (JSON.stringify(sorted(value), undefined, 1) ?? "nothing").split("\n");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

/** Computes the longest common lines and the edits around them. Lines far from an edit are omitted. */
function edits(left: readonly string[], right: readonly string[]): string[] {
  const lengths = commonLengths(left, right);
  const shown: string[] = [];
  let [at, to] = [0, 0];
  while (at < left.length || to < right.length) {
    if (at < left.length && to < right.length && left[at] === right[to]) {
      shown.push(`  ${left[at]}`);
      at += 1;
      to += 1;
    } else if (to >= right.length || (lengths[at + 1]?.[to] ?? 0) >= (lengths[at]?.[to + 1] ?? 0)) {
      shown.push(`- ${left[at++]}`);
    } else {
      shown.push(`+ ${right[to++]}`);
    }
  }
  return nearEdits(shown);
}

/** `lengths[i][j]` is the length of the longest common subsequence of `left` from i and `right` from j. */
function commonLengths(left: readonly string[], right: readonly string[]): number[][] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = lengths[i] ?? [];
      const below = lengths[i + 1] ?? [];
      row[j] = left[i] === right[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

const context = 4;

function nearEdits(lines: readonly string[]): string[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some((line) => !line.startsWith(" ")),
  );
  return lines.flatMap((line, index) => {
    if (near[index]) return [line];
    return index === 0 || near[index - 1] ? ["  ..."] : [];
  });
}
