import type { FaultRule } from "trimtab/testing";

/** Those it happens to: the writer and the judge are left alone. */
export const victim = "soak";

/** How the user agents of the replicas begin: their watches go wrong too, their requests do not. */
export const replicaAgent = "replica";

const on = { userAgent: victim };

const watchFaults = ([victim, replicaAgent] as const).flatMap((userAgent): FaultRule[] => {
  const watches = { verb: "watch", userAgent } as const;
  return [
    { on: watches, which: { chance: 0.4 }, fault: { type: "close", afterEvents: 900 } },
    { on: watches, which: { chance: 0.4 }, fault: { type: "break", afterEvents: 800 } },
    { on: watches, which: { chance: 0.3 }, fault: { type: "expire", afterEvents: 600 } },
    { on: watches, which: { chance: 0.05 }, fault: { type: "freeze", afterEvents: 700 } },
    { on: watches, fault: { type: "close", afterEvents: 1500 } },
  ];
});

/**
 * Whatever can go wrong: to one in twelve requests, and to every watch after a while. That is longer than it takes to tell of
 * all there is, or nobody would ever come to know it.
 */
export const faults: readonly FaultRule[] = [
  { on, which: { chance: 0.02 }, fault: { type: "refuse", code: 429 } },
  { on, which: { chance: 0.01 }, fault: { type: "refuse", code: 500 } },
  { on, which: { chance: 0.01 }, fault: { type: "refuse", code: 503 } },
  { on, which: { chance: 0.02 }, fault: { type: "delay", ms: 500 } },
  { on, which: { chance: 0.01 }, fault: { type: "cut", when: "before" } },
  { on, which: { chance: 0.01 }, fault: { type: "cut", when: "middle" } },
  ...watchFaults,
];
