import { type Clock, type Rng, realClock, realRng, sleep, unreachable } from "../../base/index.ts";
import type { CutResponse, Handler, ServerRequest, ServerResponse } from "../exchange.ts";
import { checkRules } from "./check-rules.ts";
import { cut, cutAfter, cutInTheMiddle } from "./cut.ts";
import type { FaultRule, RequestFault, WatchFault, WhichRequests } from "./fault-rule.ts";
import { requestMatches } from "./match.ts";
import { refusal } from "./refusal.ts";
import { spoiledWatch } from "./spoiled-watch.ts";

export interface FaultOptions {
  /** For delays. @default the machine's */
  readonly clock?: Clock | undefined;
  /** For rules by chance. @default the platform's */
  readonly rng?: Rng | undefined;
}

/**
 * A server on which things go wrong as the rules say.
 *
 * A request meets at most one fault: that of the first rule that is about it. Throws for rules that make no sense.
 */
export function withFaults(
  handler: Handler,
  rules: readonly FaultRule[],
  { clock = realClock, rng = realRng }: FaultOptions = {},
): Handler {
  checkRules(rules);
  const counted = rules.map((rule) => ({ rule, seen: 0 }));
  return {
    handle(request) {
      const due = counted.filter((counter) => isDue(counter, request, rng));
      const fault = due[0]?.rule.fault;
      return fault ? meet(fault, request, { handler, clock }) : handler.handle(request);
    },
  };
}

interface Counted {
  readonly rule: FaultRule;
  /** How many requests were about it. */
  seen: number;
}

/** Counts, and draws by chance, also where an earlier rule has its way: so that one rule does not shift another. */
function isDue(counter: Counted, request: ServerRequest, rng: Rng): boolean {
  const { on = {}, which = "every" } = counter.rule;
  if (!requestMatches(request, on)) return false;
  counter.seen += 1;
  return chosen(which, counter.seen, rng);
}

function chosen(which: WhichRequests, seen: number, rng: Rng): boolean {
  if (which === "every") return true;
  if ("nth" in which) return seen === which.nth;
  return "first" in which ? seen <= which.first : rng.next() < which.chance;
}

interface Behind {
  readonly handler: Handler;
  readonly clock: Clock;
}

type Reply = ServerResponse | CutResponse;

async function meet(
  fault: RequestFault | WatchFault,
  request: ServerRequest,
  { handler, clock }: Behind,
): Promise<Reply> {
  switch (fault.type) {
    case "refuse":
      return refusal(fault);
    case "delay":
      return (await passed(fault.ms, request, clock)) ? handler.handle(request) : cut;
    case "cut":
      if (fault.when === "before") return cut;
      return fault.when === "after" ? cutAfter(handler, request) : cutInTheMiddle(handler, request);
    case "freeze":
    case "close":
    case "expire":
    case "break":
      return spoiledWatch(fault, request, handler);
    default:
      return unreachable(fault);
  }
}

/** Whether the client is still there after so long. */
async function passed(ms: number, { signal }: ServerRequest, clock: Clock): Promise<boolean> {
  try {
    await sleep(ms, { clock, signal });
    return true;
  } catch {
    return false; // only the signal rejects it: nobody waits for an answer
  }
}
