/**
 * What changed between two texts, as `diff -u` shows it: lines that went with `-`, that came with `+`, and three lines
 * around them.
 *
 * Lines are matched by the longest common run, and then by those on either side of it; in long texts, lines that occur
 * all over them do not begin a run. That is how the real server's library does it.
 */
export function lineDiff(before: string, after: string): string {
  if (before === after) return "";
  const [a, b] = [before.split("\n"), after.split("\n")];
  return hunks(changes(a, b))
    .map((hunk) => hunkText(a, b, hunk))
    .join("");
}

/** The same, or replaced: lines `from` to `to` of the one text by those of the other. */
interface Change {
  readonly same: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

interface Run {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

function changes(a: readonly string[], b: readonly string[]): Change[] {
  const found: Change[] = [];
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

/** Runs of lines that both have, in order. Neighbours are joined. */
function runs(a: readonly string[], b: readonly string[]): Run[] {
  const places = placesOf(b);
  const found: Run[] = [];
  const waiting: Window[] = [{ a: [0, a.length], b: [0, b.length] }];
  for (let window = waiting.pop(); window; window = waiting.pop()) {
    const run = widened(longest(a, places, window), { a, b }, window);
    if (run.size === 0) continue;
    found.push(run);
    waiting.push({ a: [window.a[0], run.a], b: [window.b[0], run.b] });
    waiting.push({ a: [run.a + run.size, window.a[1]], b: [run.b + run.size, window.b[1]] });
  }
  return joined(found.sort((one, other) => one.a - other.a));
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

/** From so many lines on, those that make up more than a hundredth begin no run. */
const long = 200;

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) places.set(line, [...(places.get(line) ?? []), at]);
  if (lines.length < long) return places;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, where]) => where.length <= most));
}

function longest(
  a: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { a: [fromA, toA], b: [fromB, toB] }: Window,
): Run {
  let best: Run = { a: fromA, b: fromB, size: 0 };
  let lengths = new Map<number, number>();
  for (let at = fromA; at < toA; at += 1) {
    const next = new Map<number, number>();
    const inside = (places.get(a[at] ?? "") ?? []).filter((place) => place >= fromB && place < toB);
    for (const place of inside) {
      const size = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, size);
      if (size > best.size) best = { a: at - size + 1, b: place - size + 1, size };
    }
    lengths = next;
  }
  return best;
}

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
}

/** A run goes on over lines that could not begin one. */
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

const around = 3;

/** Changes that are close together are shown together. */
function hunks(all: readonly Change[]): Change[][] {
  const result: Change[][] = [];
  let hunk: Change[] = [];
  for (const change of trimmed(all)) {
    if (change.same && change.a[1] - change.a[0] > 2 * around) {
      result.push([...hunk, head(change)]);
      hunk = [tail(change)];
    } else hunk.push(change);
  }
  return [...result, hunk].filter((one) => one.some(({ same }) => !same));
}

/** What is the same at the beginning and at the end is shown as far as it is near. */
function trimmed(all: readonly Change[]): Change[] {
  return all.map((change, index) => {
    if (!change.same) return change;
    if (index === 0) return tail(change);
    return index === all.length - 1 ? head(change) : change;
  });
}

function head({ a, b }: Change): Change {
  const size = Math.min(around, a[1] - a[0]);
  return { same: true, a: [a[0], a[0] + size], b: [b[0], b[0] + size] };
}

function tail({ a, b }: Change): Change {
  const size = Math.min(around, a[1] - a[0]);
  return { same: true, a: [a[1] - size, a[1]], b: [b[1] - size, b[1]] };
}

function hunkText(a: readonly string[], b: readonly string[], hunk: readonly Change[]): string {
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
