import type { Caller } from "./call-webhook.ts";
import type { Served } from "./invocation.ts";

/** The parts of the server that admission uses. */
export interface AdmissionContext extends Caller, Served {}
