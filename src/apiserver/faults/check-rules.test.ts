import { expect, test } from "vitest";
import { checkRules } from "./check-rules.ts";

const cut = { type: "cut", when: "before" };

test("valid rules are accepted", () => {
  checkRules([
    { fault: cut },
    { on: { verb: ["get", "list"], resource: "deployments.apps/status" }, which: { chance: 1 }, fault: cut },
    { on: { verb: "watch" }, which: { nth: 1 }, fault: { type: "freeze", afterEvents: 2 } },
    { on: undefined, which: "every", fault: { type: "refuse", code: 429, retryAfterSeconds: false } },
  ]);
});

test.each([
  [{}, "expected faults to be an array of rules, got {}"],
  [[null], "expected faults[0] to be an object, got null"],
  [[{ fault: cut }, {}], "expected faults[1].fault to be an object, got undefined"],
  [[{ fault: cut, when: 1 }], 'expected only on, which, fault in faults[0], got "when"'],
  [
    [{ fault: { type: "explode" } }],
    'expected faults[0].fault.type to be one of refuse, delay, cut, freeze, close, expire, break, got "explode"',
  ],
  [
    [{ fault: { type: "constructor" } }],
    'expected faults[0].fault.type to be one of refuse, delay, cut, freeze, close, expire, break, got "constructor"',
  ],
  [
    [{ fault: { type: "refuse", code: 418 } }],
    "expected faults[0].fault.code to be one of 429, 500, 503, 504, got 418",
  ],
  [
    [{ fault: { type: "refuse", code: 429, retryAfterSeconds: 0.5 } }],
    "expected faults[0].fault.retryAfterSeconds to be an integer of at least 0, got 0.5",
  ],
  [
    [{ fault: { type: "delay", ms: -1 } }],
    "expected faults[0].fault.ms to be a non-negative number of milliseconds, got -1",
  ],
  [
    [{ fault: { type: "cut" } }],
    "expected faults[0].fault.when to be one of before, after, middle, got undefined",
  ],
  [
    [{ fault: { type: "freeze" } }],
    'expected faults[0].on.verb to be "watch" for a fault of type "freeze", got undefined',
  ],
  [
    [{ on: { verb: "watch" }, fault: { type: "close", afterEvents: -1 } }],
    "expected faults[0].fault.afterEvents to be an integer of at least 0, got -1",
  ],
  [
    [{ on: { verb: "apply" }, fault: cut }],
    'expected faults[0].on.verb to be one of get, list, watch, create, update, patch, delete, deletecollection, got "apply"',
  ],
  [
    [{ on: { resource: "Pod" }, fault: cut }],
    'expected faults[0].on.resource to be a plural resource name such as "pods" or "deployments.apps/status", got "Pod"',
  ],
  [[{ on: { name: 5 }, fault: cut }], "expected faults[0].on.name to be a non-empty string, got 5"],
  [[{ which: { nth: 0 }, fault: cut }], "expected faults[0].which.nth to be an integer of at least 1, got 0"],
  [
    [{ which: { nth: 1, first: 2 }, fault: cut }],
    'expected faults[0].which to be "every" or one of nth, first and chance, got {"nth":1,"first":2}',
  ],
  [[{ which: { chance: 2 }, fault: cut }], "expected faults[0].which.chance to be a number in (0, 1], got 2"],
])("%j is rejected", (rules, message) => {
  expect(() => checkRules(rules)).toThrow(new Error(message));
});
