import type { FaultRule } from "trimtab/testing";

/** The affected clients. The writer and the checker are not affected. */
export const victim = "soak";

/** Prefixes of the replicas' user agents: their watches fail, too, and their requests do not. */
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
 * Faults for one in twelve requests, and for every watch after a while. That time is longer than a list takes, so that
 * caches can sync.
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
