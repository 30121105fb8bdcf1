/** One aspect of an object's state, as `status.conditions` lists it: one entry for each `type`. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  /** One CamelCase word. */
  reason: string;
  message: string;
  /** When `status` last changed. RFC 3339. */
  lastTransitionTime: string;
  /** The `metadata.generation` this was concluded from. */
  observedGeneration?: number | undefined;
}
