/** How the objects of one resource look. */
export interface Template {
  /** Plural, as in paths: "pods". */
  readonly resource: string;
  /** Path of the group and version: "/api/v1". */
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** Whether `kind` and `apiVersion` are on every item of a list: so for custom resources, not for built-in ones. */
  readonly namedInLists: boolean;
  /** The object as a list shows it, holding the marks as they are given. */
  readonly object: (index: number, marks: Marks) => object;
}

/** Resource versions have ten digits from the first to the last, so that one can be written over another. */
export const firstResourceVersion = 1_000_000_000;

/** Texts of fixed width whose bytes are overwritten in each event sent. */
export interface Marks {
  /** Ten digits. */
  readonly resourceVersion: string;
  /** Microseconds since 1970, in sixteen digits: when the event left. */
  readonly sentUs: string;
}

export const marks: Marks = { resourceVersion: `${firstResourceVersion}`, sentUs: "0000000000000000" };
