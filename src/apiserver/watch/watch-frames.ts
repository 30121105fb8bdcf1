import type { KubeObject } from "../../api/index.ts";
import { writeJson } from "../../schema/index.ts";
import { objectText, versionObject } from "../codec/object-text.ts";
import type { ObjectVersion } from "../codec/object-version.ts";
import type { ResponseTransformer } from "../printers/response-transformer.ts";
import type { Resource } from "../types/resource.ts";
import type { StatusError } from "../types/status-error.ts";
import type { LoggedChange } from "./watch-log.ts";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** Encodes the objects of watch events. Watches of the same form share an encoder. */
export interface Encoder {
  readonly resource: Resource;
  /** Encodes the object of an event as JSON. */
  object(version: ObjectVersion): string;
  /** Encodes the object of a bookmark, in which only the resourceVersion is set. */
  bookmark(blank: KubeObject): string;
  /** The encoder of the first event of a watch. @default the same encoder */
  readonly opening?: Encoder | undefined;
}

/** Returns the encoder of complete objects. */
export function plainEncoder(resource: Resource): Encoder {
  return cachedEncoder(resource, "", () => ({
    resource,
    object: (version) => objectText(resource, version),
    bookmark: writeJson,
  }));
}

/** Returns the encoder of transformed objects. `name` identifies the transformation of a resource. */
export function transformingEncoder(
  resource: Resource,
  name: string,
  transformer: ResponseTransformer,
): Encoder {
  const encoder = (first: boolean): Encoder => ({
    resource,
    object: (version) => writeJson(transformer.event(versionObject(resource, version), first)),
    bookmark: (blank) => writeJson(transformer.event(blank, first)),
  });
  return cachedEncoder(resource, name, () => ({ ...encoder(false), opening: encoder(true) }));
}

function cachedEncoder(resource: Resource, name: string, make: () => Encoder): Encoder {
  const cached = encoders.get(resource) ?? new Map<string, Encoder>();
  encoders.set(resource, cached);
  const found = cached.get(name) ?? make();
  cached.set(name, found);
  return found;
}

const encoders = new WeakMap<Resource, Map<string, Encoder>>();

/** Encodes an event for one watcher. */
export function frame(encoder: Encoder, type: EventType, version: ObjectVersion): Buffer {
  return Buffer.from(`{"type":"${type}","object":${encoder.object(version)}}\n`);
}

/** Encodes an event of a change, once for all watchers that share the encoder while the log keeps its frames. */
export function sharedFrame(encoder: Encoder, type: EventType, logged: LoggedChange): Buffer {
  if (!logged.frames) return frame(encoder, type, versionOf(type, logged));
  const frames = logged.frames.get(encoder) ?? new Map<string, Buffer>();
  logged.frames.set(encoder, frames);
  const cached = frames.get(type);
  if (cached) return cached;
  const created = frame(encoder, type, versionOf(type, logged));
  frames.set(type, created);
  return created;
}

/** Returns the version of an event's object. A deleted object has its last state and the revision of the deletion. */
function versionOf(type: EventType, { change }: LoggedChange): ObjectVersion {
  const { before, after, revision } = change;
  const source = type === "DELETED" ? before : after;
  return { json: source?.json ?? "", revision, source };
}

export interface Bookmark {
  readonly revision: number;
  /** True if it ends the initial events. */
  readonly initialEventsEnd: boolean;
}

export function bookmarkFrame(encoder: Encoder, { revision, initialEventsEnd }: Bookmark): Buffer {
  const blank = encoder.resource.codec.blank();
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { resourceVersion: String(revision), ...(initialEventsEnd && { annotations }) };
  // A bookmark has no name and no uid.
  const object = { ...blank, metadata } as unknown as KubeObject;
  return Buffer.from(`{"type":"BOOKMARK","object":${encoder.bookmark(object)}}\n`);
}

export function errorFrame(error: StatusError): Buffer {
  return Buffer.from(`{"type":"ERROR","object":${writeJson(error.toStatus())}}\n`);
}
