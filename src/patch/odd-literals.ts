import { goJson } from "./go-json.ts";

/**
 * The places of steps in the text of a JSON patch whose `value` is not written as the server writes JSON: with `<` for
 * `\u003c`, `\u00e9` for `é`, `1.0` for `1`. Expects the text of a list.
 */
export function oddSteps(text: string): ReadonlySet<number> {
  const scan: Scan = { depth: 0, step: 0, key: undefined, odd: new Set() };
  if (!suspicious.test(text)) return scan.odd;
  for (const [token] of text.matchAll(tokens)) take(scan, token);
  return scan.odd;
}

/** Every odd literal has one of these in it. */
const suspicious = /[<>&\u2028\u2029]|\\[u/]|\d[.eE]|-0/;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

interface Scan {
  /** How many containers are open. A step's members are at 2. */
  depth: number;
  /** Of the step that is read. */
  step: number;
  /** The member of the step whose value is read; absent between members. */
  key: string | undefined;
  /** The last literal, until it is known to be no key. */
  literal?: string | undefined;
  readonly odd: Set<number>;
}

function take(scan: Scan, token: string): void {
  if (token === ":") return takeKey(scan);
  if (scan.key === "value" && scan.literal !== undefined && isOdd(scan.literal)) scan.odd.add(scan.step);
  scan.literal = undefined;
  if (token === "{" || token === "[") scan.depth += 1;
  else if (token === "}" || token === "]") scan.depth -= 1;
  else if (token === ",") takeComma(scan);
  else scan.literal = token;
}

function takeComma(scan: Scan): void {
  if (scan.depth <= 2) scan.key = undefined;
  if (scan.depth === 1) scan.step += 1;
}

/** The key of a member of a step. Others are keys of values, which are compared as they mean. */
function takeKey(scan: Scan): void {
  if (scan.depth === 2 && scan.literal !== undefined) scan.key = String(JSON.parse(scan.literal));
  scan.literal = undefined;
}

function isOdd(literal: string): boolean {
  return !integer.test(literal) && goJson(JSON.parse(literal)) !== literal;
}

/** Written in one way only, also where a JavaScript number could not hold it. */
const integer = /^(0|-?[1-9]\d*)$/;
