import { verbs } from "../request-verb.ts";

/**
 * Refuses rules that types would have refused, for those who write JavaScript or read rules from a file.
 * Throws an error that names the place: "expected faults[0].fault.code to be one of 429, 500, 503, 504, got 418".
 */
export function checkRules(rules: unknown): void {
  if (!Array.isArray(rules)) throw wrong("faults", "a list of rules", rules);
  for (const [index, rule] of rules.entries()) checkRule(rule, `faults[${index}]`);
}

function checkRule(rule: unknown, at: string): void {
  const { on = {}, which = "every", fault } = fields(rule, at, ["on", "which", "fault"]);
  checkMatch(on, `${at}.on`);
  checkWhich(which, `${at}.which`);
  const type = checkFault(fault, `${at}.fault`);
  const { verb } = fields(on, `${at}.on`, matchFields);
  if (watchFaults.has(type) && verb !== "watch") {
    throw wrong(`${at}.on.verb`, `"watch" for a fault of type "${type}"`, verb);
  }
}

const matchFields = ["verb", "resource", "namespace", "name", "userAgent"];
const watchFaults: ReadonlySet<string> = new Set(["freeze", "close", "expire", "break"]);

function checkMatch(on: unknown, at: string): void {
  const { verb, ...texts } = fields(on, at, matchFields);
  if (verb !== undefined) for (const one of [verb].flat()) oneOf(one, `${at}.verb`, verbs);
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined && (typeof text !== "string" || text === ""))
      throw wrong(`${at}.${name}`, "text", text);
  }
  if (texts.resource !== undefined && !resourceShape.test(String(texts.resource))) {
    const expected = 'a resource in the plural, as "pods" or "deployments.apps/status"';
    throw wrong(`${at}.resource`, expected, texts.resource);
  }
}

const resourceShape = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*(\/[a-z]+)?$/;

function checkWhich(which: unknown, at: string): void {
  if (which === "every") return;
  const said = fields(which, at, ["nth", "first", "chance"]);
  const [only, ...others] = Object.entries(said).filter(([, value]) => value !== undefined);
  if (!only || others.length > 0) throw wrong(at, '"every" or one of nth, first and chance', which);
  const [name, value] = only;
  if (name !== "chance") wholeNumber(value, `${at}.${name}`, 1);
  else if (!(typeof value === "number" && value > 0 && value <= 1)) {
    throw wrong(`${at}.chance`, "a number over 0, at most 1", value);
  }
}

/** The fault's type. */
function checkFault(fault: unknown, at: string): string {
  const { type } = fields(fault, at);
  oneOf(type, `${at}.type`, Object.keys(faultChecks));
  const name = type as keyof typeof faultChecks; // just looked at
  faultChecks[name](fault, at);
  return name;
}

const faultChecks = {
  refuse(fault: unknown, at: string): void {
    const { code, retryAfterSeconds = false } = fields(fault, at, ["type", "code", "retryAfterSeconds"]);
    oneOf(code, `${at}.code`, [429, 500, 503, 504]);
    if (retryAfterSeconds !== false) wholeNumber(retryAfterSeconds, `${at}.retryAfterSeconds`, 0);
  },
  delay(fault: unknown, at: string): void {
    const { ms } = fields(fault, at, ["type", "ms"]);
    if (!(typeof ms === "number" && ms >= 0)) throw wrong(`${at}.ms`, "milliseconds", ms);
  },
  cut(fault: unknown, at: string): void {
    oneOf(fields(fault, at, ["type", "when"]).when, `${at}.when`, ["before", "after", "middle"]);
  },
  freeze: checkWatchFault,
  close: checkWatchFault,
  expire: checkWatchFault,
  break: checkWatchFault,
};

function checkWatchFault(fault: unknown, at: string): void {
  const { afterEvents = 0 } = fields(fault, at, ["type", "afterEvents"]);
  wholeNumber(afterEvents, `${at}.afterEvents`, 0);
}

/** The fields of an object that has no others than these. */
function fields(value: unknown, at: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(at, "an object", value);
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`expected only ${known?.join(", ")} in ${at}, got ${JSON.stringify(unknown)}`);
  return value as Record<string, unknown>; // every object is one
}

function oneOf(value: unknown, at: string, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) throw wrong(at, `one of ${allowed.join(", ")}`, value);
}

function wholeNumber(value: unknown, at: string, least: number): void {
  if (!Number.isSafeInteger(value) || Number(value) < least) {
    throw wrong(at, `a whole number from ${least} on`, value);
  }
}

function wrong(at: string, expected: string, got: unknown): Error {
  return new Error(`expected ${at} to be ${expected}, got ${JSON.stringify(got) ?? "nothing"}`);
}
