import type { ListMeta, Status } from "../../api/index.ts";
import type { ObjectVersion } from "../codec/object-version.ts";
import type { Sink } from "../types/exchange.ts";

/** The result of a verb, before it is encoded in the requested format. */
export type VerbResult = ObjectResult | ListResult | ValueResult | TextResult | StreamResult;

/** An object of the requested resource. */
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

/** An object of another kind than the resource: a Status, a Scale, a review. */
export interface ValueResult {
  readonly type: "value";
  readonly code: number;
  readonly value: object;
}

/** Plain text, which is sent regardless of the requested format. */
export interface TextResult {
  readonly type: "text";
  /** Absent for a response without a body (204), which differs from an empty text. */
  readonly text?: string | undefined;
}

export interface StreamResult {
  readonly type: "stream";
  start(sink: Sink): void;
}

/** Returns the Status of a deletion that removed the object. */
export function successStatus(details: NonNullable<Status["details"]>): ValueResult {
  const value: Status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
  return { type: "value", code: 200, value };
}

/** Returns the Status of a creation that has no object to return. */
export function createdStatus(): ValueResult {
  const value: Status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
  return { type: "value", code: 201, value };
}
