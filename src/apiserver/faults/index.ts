/**
 * Faults on purpose: an API server that refuses, delays, cuts connections and spoils watches where a test says so.
 *
 * It promises that a request no rule is about is answered as without it, and that the same rules, requests, clock and
 * seed give the same faults. It invents nothing: every fault is one that a real server or network shows.
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
