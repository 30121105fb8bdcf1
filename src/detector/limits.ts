/** When something is told. */
export interface DetectorLimits {
  /** So many writes of the same fields in a row, each asked for by own writes alone, are a loop. @default 10 */
  readonly turns?: number | undefined;
  /** A field that was set back so often after somebody else had changed it is fought over. @default 3 */
  readonly fights?: number | undefined;
  /** So many requeues of one key within a minute are a storm. @default 100 */
  readonly requeues?: number | undefined;
  /** Such a share of a minute's writes refused with 409 Conflict is too much, from 20 on. @default 0.2 */
  readonly conflictShare?: number | undefined;
}

export type Limits = { readonly [name in keyof DetectorLimits]-?: number };
