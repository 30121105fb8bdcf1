import { type Clock, type Rng, realClock, realRng, sleep, unreachable } from "../../base/index.ts";
import type { CutResponse, Handler, ServerRequest, ServerResponse } from "../types/exchange.ts";
import { checkRules } from "./check-rules.ts";
import { cut, cutAfter, cutInTheMiddle } from "./cut.ts";
import { errorResponse } from "./error-response.ts";
import type { FaultRule, RequestFault, WatchFault, WhichRequests } from "./fault-rule.ts";
import { faultyWatch } from "./faulty-watch.ts";
import { requestMatches } from "./request-matches.ts";

export interface FaultOptions {
  /** The clock of delays. @default the real clock */
  readonly clock?: Clock | undefined;
  /** The random numbers of rules with a chance. @default the real random numbers */
  readonly rng?: Rng | undefined;
}

/**
 * Returns a handler that injects faults into the requests of `handler`.
 *
 * A request gets at most one fault: that of the first rule that applies. Throws if a rule is invalid.
 */
export function withFaults(
  handler: Handler,
  rules: readonly FaultRule[],
  { clock = realClock, rng = realRng }: FaultOptions = {},
): Handler {
  checkRules(rules);
  const counters = rules.map((rule) => ({ rule, matched: 0 }));
  return {
    handle(request) {
      const applicable = counters.filter((counter) => applies(counter, request, rng));
      const fault = applicable[0]?.rule.fault;
      return fault ? injectFault(fault, request, { handler, clock }) : handler.handle(request);
    },
  };
}

interface Counter {
  readonly rule: FaultRule;
  /** Number of requests that matched the rule. */
  matched: number;
}

/**
 * Counts the request and draws a random number even if an earlier rule applies, so that rules do not affect each other.
 */
function applies(counter: Counter, request: ServerRequest, rng: Rng): boolean {
  const { on = {}, which = "every" } = counter.rule;
  if (!requestMatches(request, on)) return false;
  counter.matched += 1;
  return isSelected(which, counter.matched, rng);
}

function isSelected(which: WhichRequests, matched: number, rng: Rng): boolean {
  if (which === "every") return true;
  if ("nth" in which) return matched === which.nth;
  return "first" in which ? matched <= which.first : rng.next() < which.chance;
}

interface Server {
  readonly handler: Handler;
  readonly clock: Clock;
}

type Outcome = ServerResponse | CutResponse;

async function injectFault(
  fault: RequestFault | WatchFault,
  request: ServerRequest,
  { handler, clock }: Server,
): Promise<Outcome> {
  switch (fault.type) {
    case "refuse":
      return errorResponse(fault);
    case "delay":
      return (await waited(fault.ms, request, clock)) ? handler.handle(request) : cut;
    case "cut":
      if (fault.when === "before") return cut;
      return fault.when === "after" ? cutAfter(handler, request) : cutInTheMiddle(handler, request);
    case "freeze":
    case "close":
    case "expire":
    case "break":
      return faultyWatch(fault, request, handler);
    default:
      return unreachable(fault);
  }
}

/** Waits. Returns false if the client disconnects meanwhile. */
async function waited(ms: number, { signal }: ServerRequest, clock: Clock): Promise<boolean> {
  try {
    await sleep(ms, { clock, signal });
    return true;
  } catch {
    return false; // only the abort of the request rejects the sleep
  }
}
