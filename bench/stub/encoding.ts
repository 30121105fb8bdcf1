/** The objects of a resource as bytes in one media type, and what stands around them in lists and events. */
export interface Encoding {
  readonly contentType: string;
  readonly watchContentType: string;
  /** Of each object, the bytes that its events share. */
  readonly objects: readonly Uint8Array[];
  /** Where the marks are within them. */
  readonly versionAt: readonly number[];
  readonly sentAt: readonly number[];
  /** What comes before an object in an event. */
  head(type: EventType, index: number): Uint8Array;
  /** What comes after. */
  readonly tail: Uint8Array;
  /** An event that tells a version and nothing else. */
  bookmark(resourceVersion: number, options: { readonly endsInitial: boolean }): Uint8Array;
  list(page: Page): Uint8Array[];
  /** One object as a GET gives it. */
  object(index: number, resourceVersion: number): Uint8Array;
}

export type EventType = "ADDED" | "MODIFIED";

export interface Page {
  readonly from: number;
  readonly to: number;
  readonly resourceVersion: number;
  /** Where the next page begins, and how many objects are in the pages after this one. */
  readonly next?: { readonly token: string; readonly left: number } | undefined;
}
