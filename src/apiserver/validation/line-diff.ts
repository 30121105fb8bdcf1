/**
 * Returns the differences of two texts like `diff -u`: removed lines with `-`, added lines with `+`, and three lines of
 * context.
 *
 * Lines are matched by the longest common run, then by the runs before and after it. In long texts, frequent lines do
 * not start a run. The Go library of kube-apiserver uses the same algorithm.
 *
 * It takes quadratic time in the number of lines at worst, so the number of comparisons is limited. Once the limit is
 * reached, only equal lines at the start and at the end of the remaining windows are matched.
 */
export function lineDiff(before: string, after: string): string {
  if (before === after) return "";
  const [a, b] = [before.split("\n"), after.split("\n")];
  return hunks(changes(a, b))
    .map((hunk) => hunkText(a, b, hunk))
    .join("");
}

/** Equal or replaced lines: `from` to `to` of text a and of text b. */
interface Edit {
  readonly same: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

interface Run {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

function changes(a: readonly string[], b: readonly string[]): Edit[] {
  const found: Edit[] = [];
  let [atA, atB] = [0, 0];
  for (const run of [...runs(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (run.a > atA || run.b > atB) found.push({ same: false, a: [atA, run.a], b: [atB, run.b] });
    if (run.size > 0) found.push({ same: true, a: [run.a, run.a + run.size], b: [run.b, run.b + run.size] });
    [atA, atB] = [run.a + run.size, run.b + run.size];
  }
  return found;
}

interface Window {
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

/** Maximum number of line comparisons. */
const maxComparisons = 100_000;

/** Finds the longest common run of a window. */
class RunFinder {
  /** The indexes in b of each line of a. */
  readonly #places: ReadonlyArray<readonly number[]>;
  /** For each index in b: the length of the run that ends there, and the index in a at which it ends. */
  readonly #lengths: Int32Array;
  readonly #ends: Int32Array;
  /** The comparisons that are left. */
  #left = maxComparisons;

  constructor({ a, b }: Texts) {
    const places = placesOf(b);
    this.#places = a.map((line) => places.get(line) ?? []);
    this.#lengths = new Int32Array(b.length);
    this.#ends = new Int32Array(b.length);
  }

  get exhausted(): boolean {
    return this.#left <= 0;
  }

  /** Returns the longest run of a window: of equal ones, the first in a, then in b. */
  longest({ a: [fromA, toA], b: range }: Window): Run {
    let best: Run = { a: fromA, b: range[0], size: 0 };
    this.#ends.fill(noIndex, ...range);
    for (let at = fromA; at < toA && !this.exhausted; at += 1) {
      const found = this.#endingAt(at, range);
      if (found.size > best.size) best = found;
    }
    return best;
  }

  /** Returns the longest run that ends at a line of a: of equal ones, the first in b. */
  #endingAt(at: number, [from, to]: Window["b"]): Run {
    const places = this.#places[at] ?? [];
    this.#left -= 1 + places.length;
    let best: Run = { a: at, b: from, size: 0 };
    // The loop goes backwards, so that the length of the previous run is not overwritten yet.
    for (let index = places.length - 1; index >= 0; index -= 1) {
      const place = places[index] ?? -1;
      if (place < from || place >= to) continue;
      const goesOn = place > from && this.#ends[place - 1] === at - 1;
      const size = goesOn ? (this.#lengths[place - 1] ?? 0) + 1 : 1;
      this.#lengths[place] = size;
      this.#ends[place] = at;
      if (size >= best.size) best = { a: at - size + 1, b: place - size + 1, size };
    }
    return best;
  }
}

/** An index before every line that is not adjacent to the first. */
const noIndex = -2;

/** Returns the common runs of both texts, in order. Adjacent runs are joined. */
function runs(a: readonly string[], b: readonly string[]): Run[] {
  const finder = new RunFinder({ a, b });
  const found: Run[] = [];
  const waiting: Window[] = [{ a: [0, a.length], b: [0, b.length] }];
  for (let window = waiting.pop(); window; window = waiting.pop()) {
    if (finder.exhausted) {
      found.push(...ends({ a, b }, window));
      continue;
    }
    const run = widened(finder.longest(window), { a, b }, window);
    if (run.size === 0) continue;
    found.push(run);
    waiting.push({ a: [window.a[0], run.a], b: [window.b[0], run.b] });
    waiting.push({ a: [run.a + run.size, window.a[1]], b: [run.b + run.size, window.b[1]] });
  }
  return joined(found.sort((one, other) => one.a - other.a));
}

/** Returns the equal lines at the start and at the end of a window. */
function ends({ a, b }: Texts, { a: [fromA, toA], b: [fromB, toB] }: Window): Run[] {
  const max = Math.min(toA - fromA, toB - fromB);
  let head = 0;
  while (head < max && a[fromA + head] === b[fromB + head]) head += 1;
  let tail = 0;
  while (tail < max - head && a[toA - tail - 1] === b[toB - tail - 1]) tail += 1;
  return [
    { a: fromA, b: fromB, size: head },
    { a: toA - tail, b: toB - tail, size: tail },
  ].filter(({ size }) => size > 0);
}

function joined(all: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const run of all) {
    const last = result.at(-1);
    if (last && last.a + last.size === run.a && last.b + last.size === run.b) {
      result[result.length - 1] = { ...last, size: last.size + run.size };
    } else result.push(run);
  }
  return result;
}

/** In texts of at least this many lines, lines that make up more than 1 % do not start a run. */
const longText = 200;

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const indexes = places.get(line);
    if (indexes) indexes.push(at);
    else places.set(line, [at]);
  }
  if (lines.length < longText) return places;
  const max = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, where]) => where.length <= max));
}

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
}

/** Extends a run over frequent lines, which do not start one. */
function widened(run: Run, { a, b }: Texts, window: Window): Run {
  let { a: atA, b: atB, size } = run;
  while (atA > window.a[0] && atB > window.b[0] && a[atA - 1] === b[atB - 1]) {
    atA -= 1;
    atB -= 1;
    size += 1;
  }
  while (atA + size < window.a[1] && atB + size < window.b[1] && a[atA + size] === b[atB + size]) size += 1;
  return { a: atA, b: atB, size };
}

const contextLines = 3;

/** Groups changes that are close together. */
function hunks(all: readonly Edit[]): Edit[][] {
  const result: Edit[][] = [];
  let hunk: Edit[] = [];
  for (const change of trimmed(all)) {
    if (change.same && change.a[1] - change.a[0] > 2 * contextLines) {
      result.push([...hunk, head(change)]);
      hunk = [tail(change)];
    } else hunk.push(change);
  }
  return [...result, hunk].filter((one) => one.some(({ same }) => !same));
}

/** Truncates the equal lines at the start and at the end to the context. */
function trimmed(all: readonly Edit[]): Edit[] {
  return all.map((change, index) => {
    if (!change.same) return change;
    if (index === 0) return tail(change);
    return index === all.length - 1 ? head(change) : change;
  });
}

function head({ a, b }: Edit): Edit {
  const size = Math.min(contextLines, a[1] - a[0]);
  return { same: true, a: [a[0], a[0] + size], b: [b[0], b[0] + size] };
}

function tail({ a, b }: Edit): Edit {
  const size = Math.min(contextLines, a[1] - a[0]);
  return { same: true, a: [a[1] - size, a[1]], b: [b[1] - size, b[1]] };
}

function hunkText(a: readonly string[], b: readonly string[], hunk: readonly Edit[]): string {
  const spans = (["a", "b"] as const).map((side) => {
    const from = hunk[0]?.[side][0] ?? 0;
    const count = (hunk.at(-1)?.[side][1] ?? 0) - from;
    if (count === 1) return `${from + 1}`;
    return `${count === 0 ? from : from + 1},${count}`;
  });
  const lines = hunk.flatMap(({ same, a: inA, b: inB }) =>
    same
      ? a.slice(...inA).map((line) => ` ${line}`)
      : [...a.slice(...inA).map((line) => `-${line}`), ...b.slice(...inB).map((line) => `+${line}`)],
  );
  return `@@ -${spans[0]} +${spans[1]} @@\n${lines.join("\n")}\n`;
}
