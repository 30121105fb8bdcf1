import { verbs } from "../routing/request-verb.ts";

/**
 * Validates rules at run time, for callers in JavaScript and rules that are read from a file. Throws an error that
 * names the field: "expected faults[0].fault.code to be one of 429, 500, 503, 504, got 418".
 */
export function checkRules(rules: unknown): void {
  if (!Array.isArray(rules)) throw invalidRule("faults", "an array of rules", rules);
  for (const [index, rule] of rules.entries()) checkRule(rule, `faults[${index}]`);
}

function checkRule(rule: unknown, path: string): void {
  const { on = {}, which = "every", fault } = fields(rule, path, ["on", "which", "fault"]);
  checkMatch(on, `${path}.on`);
  checkWhich(which, `${path}.which`);
  const type = checkFault(fault, `${path}.fault`);
  const { verb } = fields(on, `${path}.on`, matchFields);
  if (watchFaults.has(type) && verb !== "watch") {
    throw invalidRule(`${path}.on.verb`, `"watch" for a fault of type "${type}"`, verb);
  }
}

const matchFields = ["verb", "resource", "namespace", "name", "userAgent"];
const watchFaults: ReadonlySet<string> = new Set(["freeze", "close", "expire", "break"]);

function checkMatch(on: unknown, path: string): void {
  const { verb, ...strings } = fields(on, path, matchFields);
  if (verb !== undefined) for (const item of [verb].flat()) checkOneOf(item, `${path}.verb`, verbs);
  for (const [name, text] of Object.entries(strings)) {
    if (text !== undefined && (typeof text !== "string" || text === ""))
      throw invalidRule(`${path}.${name}`, "a non-empty string", text);
  }
  if (strings.resource !== undefined && !resourceShape.test(String(strings.resource))) {
    const expected = 'a plural resource name such as "pods" or "deployments.apps/status"';
    throw invalidRule(`${path}.resource`, expected, strings.resource);
  }
}

const resourceShape = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*(\/[a-z]+)?$/;

function checkWhich(which: unknown, path: string): void {
  if (which === "every") return;
  const options = fields(which, path, ["nth", "first", "chance"]);
  const [only, ...others] = Object.entries(options).filter(([, value]) => value !== undefined);
  if (!only || others.length > 0) throw invalidRule(path, '"every" or one of nth, first and chance', which);
  const [name, value] = only;
  if (name !== "chance") checkInteger(value, `${path}.${name}`, 1);
  else if (!(typeof value === "number" && value > 0 && value <= 1)) {
    throw invalidRule(`${path}.chance`, "a number in (0, 1]", value);
  }
}

/** Validates the fault and returns its type. */
function checkFault(fault: unknown, path: string): string {
  const { type } = fields(fault, path);
  checkOneOf(type, `${path}.type`, Object.keys(faultChecks));
  const name = type as keyof typeof faultChecks; // checked above
  faultChecks[name](fault, path);
  return name;
}

const faultChecks = {
  refuse(fault: unknown, path: string): void {
    const { code, retryAfterSeconds = false } = fields(fault, path, ["type", "code", "retryAfterSeconds"]);
    checkOneOf(code, `${path}.code`, [429, 500, 503, 504]);
    if (retryAfterSeconds !== false) checkInteger(retryAfterSeconds, `${path}.retryAfterSeconds`, 0);
  },
  delay(fault: unknown, path: string): void {
    const { ms } = fields(fault, path, ["type", "ms"]);
    if (!(typeof ms === "number" && ms >= 0))
      throw invalidRule(`${path}.ms`, "a non-negative number of milliseconds", ms);
  },
  cut(fault: unknown, path: string): void {
    checkOneOf(fields(fault, path, ["type", "when"]).when, `${path}.when`, ["before", "after", "middle"]);
  },
  freeze: checkWatchFault,
  close: checkWatchFault,
  expire: checkWatchFault,
  break: checkWatchFault,
};

function checkWatchFault(fault: unknown, path: string): void {
  const { afterEvents = 0 } = fields(fault, path, ["type", "afterEvents"]);
  checkInteger(afterEvents, `${path}.afterEvents`, 0);
}

/** Returns the fields of an object. Throws if it has fields that are not in `known`. */
function fields(value: unknown, path: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidRule(path, "an object", value);
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`expected only ${known?.join(", ")} in ${path}, got ${JSON.stringify(unknown)}`);
  return value as Record<string, unknown>; // every object is a record
}

function checkOneOf(value: unknown, path: string, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) throw invalidRule(path, `one of ${allowed.join(", ")}`, value);
}

function checkInteger(value: unknown, path: string, min: number): void {
  if (!Number.isSafeInteger(value) || Number(value) < min) {
    throw invalidRule(path, `an integer of at least ${min}`, value);
  }
}

function invalidRule(path: string, expected: string, got: unknown): Error {
  return new Error(`expected ${path} to be ${expected}, got ${JSON.stringify(got) ?? "undefined"}`);
}
