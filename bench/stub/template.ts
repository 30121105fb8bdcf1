/** The objects of one resource. */
export interface Template {
  /** Plural, as in paths: "pods". */
  readonly resource: string;
  /** Path of the group and version: "/api/v1". */
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** True if every list item has `kind` and `apiVersion`: for custom resources, not for built-in ones. */
  readonly namedInLists: boolean;
  /** Returns the object as in a list, with the given marks. */
  readonly object: (index: number, marks: Marks) => object;
}

/** Resource versions always have ten digits, so that one can overwrite another. */
export const firstResourceVersion = 1_000_000_000;

/** Texts of fixed width whose bytes are overwritten in each event. */
export interface Marks {
  /** Ten digits. */
  readonly resourceVersion: string;
  /** Send time of the event in microseconds since 1970, with sixteen digits. */
  readonly sentUs: string;
}

export const marks: Marks = { resourceVersion: `${firstResourceVersion}`, sentUs: "0000000000000000" };
