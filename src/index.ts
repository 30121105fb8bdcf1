/**
 * The front door: what most controller authors need. The rest is in the folders, each by its name.
 *
 * @module
 */
export { keyOf, kind, parseKey } from "./api/index.ts";
export { shutdownSignal } from "./base/index.ts";
export { ApiError, connect } from "./client/index.ts";
export { type EventRecorder, recorder } from "./recorder/index.ts";
