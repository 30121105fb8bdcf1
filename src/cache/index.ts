/**
 * Local, always current copies of what the API server holds.
 *
 * It promises that a copy never goes back in time, that every change reaches every handler in order and every deletion at
 * least once, and that what it hands out is the reader's own, or frozen. It keeps objects as bytes and parses them when they
 * are read.
 *
 * @module
 */
export type { Lister, Selection } from "./store.ts";
