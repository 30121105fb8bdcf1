import type { KubeObject, Status } from "../../api/index.ts";
import { type ChangeType, changeTypeOf } from "./watch-event-prefix.ts";

/** A parsed watch event. Objects of changes are not checked. */
export type ParsedEvent =
  | { readonly type: ChangeType; readonly object: object }
  | { readonly type: "bookmark"; readonly metadata: KubeObject["metadata"] }
  /** The server ends the watch with this status. */
  | { readonly type: "error"; readonly status: Status };

/** Parses the frame of a watch event. Returns `undefined` for JSON that is no event, and throws if it is not JSON. */
export function parseEvent(text: string): ParsedEvent | undefined {
  const event: unknown = JSON.parse(text);
  const { type, object } = (event ?? {}) as RawEvent;
  if (typeof object !== "object" || object === null) return undefined;
  if (type === "ERROR") return { type: "error", status: object as Status }; // ERROR events contain a Status
  if (type === "BOOKMARK") return bookmarkOf(object);
  const change = changeTypeOf(type);
  return change && { type: change, object };
}

function bookmarkOf(object: Partial<KubeObject>): ParsedEvent | undefined {
  const { metadata } = object;
  return metadata?.resourceVersion ? { type: "bookmark", metadata } : undefined;
}

interface RawEvent {
  readonly type?: unknown;
  readonly object?: unknown;
}
