/**
 * Fault injection: an API server that rejects and delays requests, cuts connections and disturbs watches as rules
 * require.
 *
 * Requests that match no rule are handled as usual. The same rules, requests, clock and seed give the same faults.
 * Every fault is one that a real server or network can show.
 *
 * @module
 */
export type {
  FaultMatch,
  FaultRule,
  RefusalCode,
  RequestFault,
  RequestFaultRule,
  WatchFault,
  WatchFaultRule,
  WhichRequests,
} from "./fault-rule.ts";
export { type FaultOptions, withFaults } from "./with-faults.ts";
