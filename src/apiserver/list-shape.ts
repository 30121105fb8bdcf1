/** How a list of objects is shown: as the kind's own list, as a Table or as a list of metadata. */
export interface ListShape<Item> {
  /** The list without its items. */
  readonly head: object;
  /** The field that contains the items. It is the last field in JSON. */
  readonly field: "items" | "rows";
  /** The value of the field where there are no items. */
  readonly empty: readonly [] | null;
  /** An item in the form in which the list contains it. */
  item(item: Item): unknown;
}
