/** What a path finds in a value, in order. */
export type JsonPath = (value: unknown) => readonly unknown[];

type JsonObject = Readonly<Record<string, unknown>>;

export function fieldOf(name: string): JsonPath {
  return (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
}

/** The elements of a list, or the values of an object by order of their keys. */
export function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((key) => value[key]);
}

/** The value and all that is in it, each before what is in it. */
export function descendantsOf(value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    found.push(next);
    for (const child of childrenOf(next).toReversed()) open.push(child);
  }
  return found;
}

/** `2`, `-1`, `1:3`, `::2`: elements of a list. Nothing for text that is none of it. */
export function sliceOf(text: string): JsonPath | undefined {
  const [whole, start = "", end, step = ""] = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (whole === "") return () => [];
  const span = { start: Number(start), end: endOf(start, end), step: step === "" ? 1 : Number(step) };
  return (value) => (Array.isArray(value) ? elementsOf(value, span) : []);
}

interface Span {
  readonly start: number;
  /** Absent: the end of the list. */
  readonly end: number | undefined;
  readonly step: number;
}

function endOf(start: string, end: string | undefined): number | undefined {
  if (end === "") return undefined;
  if (end !== undefined) return Number(end);
  return start === "-1" ? undefined : Number(start) + 1;
}

/** A span that leaves the list finds nothing, not even what is inside. */
function elementsOf(list: readonly unknown[], span: Span): unknown[] {
  const start = span.start < 0 ? span.start + list.length : span.start;
  const wanted = span.end ?? list.length;
  const end = wanted < 0 ? wanted + list.length : wanted;
  if (start < 0 || end > list.length || start >= end || span.step <= 0) return [];
  return list.slice(start, end).filter((_, index) => index % span.step === 0);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text without the backslashes that keep a character from its meaning. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}
