/** An amount like `"500m"` or `"1Gi"`. The server also takes JSON numbers, and gives text back. */
export type Quantity = string;
