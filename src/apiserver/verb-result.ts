import type { ListMeta, Status } from "../api/index.ts";
import type { Sink } from "./exchange.ts";
import type { ObjectVersion } from "./object-text.ts";

/** What a handler has to say, before it is written in the format that was asked for. */
export type VerbResult = ObjectResult | ListResult | ValueResult | TextResult | StreamResult;

/** An object of the resource that was called. */
export interface ObjectResult {
  readonly type: "object";
  readonly code: number;
  readonly version: ObjectVersion;
}

export interface ListResult {
  readonly type: "list";
  readonly metadata: ListMeta;
  readonly items: readonly ObjectVersion[];
}

/** An object of another kind than the resource's: a Status, a Scale, a review. */
export interface ValueResult {
  readonly type: "plain";
  readonly code: number;
  readonly value: object;
}

/** Plain text, whatever was asked for. */
export interface TextResult {
  readonly type: "text";
  /** Absent where there is none, not even an empty one. */
  readonly text?: string | undefined;
}

export interface StreamResult {
  readonly type: "stream";
  start(sink: Sink): void;
}

/** A deletion that left nothing to show. */
export function successStatus(details: NonNullable<Status["details"]>): ValueResult {
  const value: Status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
  return { type: "plain", code: 200, value };
}

/** What was sent has been done, and there is nothing to show. */
export function createdStatus(): ValueResult {
  const value: Status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
  return { type: "plain", code: 201, value };
}
