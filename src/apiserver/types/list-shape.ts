/** The form of a list of objects: the kind's own list, a Table or a list of metadata. */
export interface ListShape<Item> {
  /** The list without its items. */
  readonly head: object;
  /** The field that contains the items. It is the last field in JSON. */
  readonly field: "items" | "rows";
  /** The value of the field if there are no items. */
  readonly empty: readonly [] | null;
  /** Returns an item in the form in which the list contains it. */
  item(item: Item): unknown;
}
