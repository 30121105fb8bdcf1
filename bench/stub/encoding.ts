/** The objects of a resource as bytes of one media type, with the bytes around them in lists and events. */
export interface Encoding {
  readonly contentType: string;
  readonly watchContentType: string;
  /** The bytes of each object that its events share. */
  readonly objects: readonly Uint8Array[];
  /** Offsets of the marks in them. */
  readonly versionAt: readonly number[];
  readonly sentAt: readonly number[];
  /** The bytes before an object in an event. */
  head(type: EventType, index: number): Uint8Array;
  /** The bytes after it. */
  readonly tail: Uint8Array;
  /** A bookmark event. */
  bookmark(resourceVersion: number, options: { readonly endsInitial: boolean }): Uint8Array;
  list(page: Page): Uint8Array[];
  /** One object as in a GET response. */
  object(index: number, resourceVersion: number): Uint8Array;
}

export type EventType = "ADDED" | "MODIFIED";

export interface Page {
  readonly from: number;
  readonly to: number;
  readonly resourceVersion: number;
  /** The continue token, and the number of objects in later pages. */
  readonly next?: { readonly token: string; readonly left: number } | undefined;
}
