/** Thresholds of the detector's findings. */
export interface DetectorLimits {
  /** Number of consecutive writes of the same fields, each triggered only by own writes, that is a loop. @default 10 */
  readonly loops?: number | undefined;
  /** Number of times that a field is set back after another writer changed it that is a fight. @default 3 */
  readonly fights?: number | undefined;
  /** Number of requeues of one key within a minute that is a storm. @default 100 */
  readonly requeues?: number | undefined;
  /** Share of a minute's writes that fail with 409 Conflict that is too high, from 20 conflicts on. @default 0.2 */
  readonly conflictShare?: number | undefined;
}

export type Limits = { readonly [name in keyof DetectorLimits]-?: number };
