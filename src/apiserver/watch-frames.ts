import type { KubeObject } from "../api/index.ts";
import { type ObjectVersion, objectText, versionObject } from "./object-text.ts";
import type { Resource } from "./resource.ts";
import type { ResponseTransformer } from "./response-transformer.ts";
import type { StatusError } from "./status-error.ts";
import type { LoggedChange } from "./watch-log.ts";
import { writeJson } from "./write-json.ts";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** Writes the objects of a watch's events. Watches that want the same form share one. */
export interface Encoder {
  readonly resource: Resource;
  /** An object of an event, as JSON. */
  object(version: ObjectVersion): string;
  /** A bookmark's, made from an object in which nothing else is set. */
  bookmark(blank: KubeObject): string;
  /** Writes the first event of a watch instead. @default it is like all others */
  readonly opening?: Encoder | undefined;
}

/** Writes whole objects. */
export function plainEncoder(resource: Resource): Encoder {
  return once(resource, "", () => ({
    resource,
    object: (version) => objectText(resource, version),
    bookmark: writeJson,
  }));
}

/** Writes objects as a view shows them. `name` tells views of a resource apart. */
export function transformingEncoder(resource: Resource, name: string, view: ResponseTransformer): Encoder {
  const encoder = (first: boolean): Encoder => ({
    resource,
    object: (version) => writeJson(view.event(versionObject(resource, version), first)),
    bookmark: (blank) => writeJson(view.event(blank, first)),
  });
  return once(resource, name, () => ({ ...encoder(false), opening: encoder(true) }));
}

function once(resource: Resource, name: string, make: () => Encoder): Encoder {
  const known = encoders.get(resource) ?? new Map<string, Encoder>();
  encoders.set(resource, known);
  const found = known.get(name) ?? make();
  known.set(name, found);
  return found;
}

const encoders = new WeakMap<Resource, Map<string, Encoder>>();

/** An event that is sent to one watcher only. */
export function frame(encoder: Encoder, type: EventType, version: ObjectVersion): Buffer {
  return Buffer.from(`{"type":"${type}","object":${encoder.object(version)}}\n`);
}

/** An event of a change, written once for all watchers that share the encoder while the log keeps its frames. */
export function sharedFrame(encoder: Encoder, type: EventType, logged: LoggedChange): Buffer {
  if (!logged.frames) return frame(encoder, type, versionOf(type, logged));
  const frames = logged.frames.get(encoder) ?? new Map<string, Buffer>();
  logged.frames.set(encoder, frames);
  const known = frames.get(type);
  if (known) return known;
  const made = frame(encoder, type, versionOf(type, logged));
  frames.set(type, made);
  return made;
}

/** What has gone is shown as it last was, at the revision at which it went. */
function versionOf(type: EventType, { change }: LoggedChange): ObjectVersion {
  const { before, after, revision } = change;
  return { json: (type === "DELETED" ? before : after)?.json ?? "", revision };
}

export interface Bookmark {
  readonly revision: number;
  /** It ends the initial events. */
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
