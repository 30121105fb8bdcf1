import { goJson } from "../../schema/index.ts";

/**
 * Returns the indexes of operations in the text of a JSON patch whose `value` is not written as kube-apiserver writes
 * JSON: with `<` for `\u003c`, `\u00e9` for `é`, `1.0` for `1`. Expects the text of a list.
 */
export function nonCanonicalOperations(text: string): ReadonlySet<number> {
  const scan: Scan = { depth: 0, operation: 0, key: undefined, nonCanonical: new Set() };
  if (!suspicious.test(text)) return scan.nonCanonical;
  for (const [token] of text.matchAll(tokens)) take(scan, token);
  return scan.nonCanonical;
}

/** Matches a part of every non-canonical literal. */
const suspicious = /[<>&\u2028\u2029]|\\[u/]|\d[.eE]|-0/;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

interface Scan {
  /** Number of open containers. Members of an operation are at depth 2. */
  depth: number;
  /** Index of the current operation. */
  operation: number;
  /** The member of the operation whose value is being read. Absent between members. */
  key: string | undefined;
  /** The last literal, until it is known not to be a key. */
  literal?: string | undefined;
  readonly nonCanonical: Set<number>;
}

function take(scan: Scan, token: string): void {
  if (token === ":") return takeKey(scan);
  if (scan.key === "value" && scan.literal !== undefined && isNonCanonical(scan.literal))
    scan.nonCanonical.add(scan.operation);
  scan.literal = undefined;
  if (token === "{" || token === "[") scan.depth += 1;
  else if (token === "}" || token === "]") scan.depth -= 1;
  else if (token === ",") takeComma(scan);
  else scan.literal = token;
}

function takeComma(scan: Scan): void {
  if (scan.depth <= 2) scan.key = undefined;
  if (scan.depth === 1) scan.operation += 1;
}

/** Reads the key of a member of an operation. Keys inside values are ignored, because they are compared by meaning. */
function takeKey(scan: Scan): void {
  if (scan.depth === 2 && scan.literal !== undefined) scan.key = String(JSON.parse(scan.literal));
  scan.literal = undefined;
}

function isNonCanonical(literal: string): boolean {
  return !integer.test(literal) && goJson(JSON.parse(literal)) !== literal;
}

/** Integers have only one notation, even those that a JavaScript number cannot hold. */
const integer = /^(0|-?[1-9]\d*)$/;
