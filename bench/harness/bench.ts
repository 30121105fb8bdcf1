/**
 * One benchmark: who is measured, at what, and in which world.
 *
 * A file in `benches/` exports one as `bench`, and that is all it takes to add it.
 */
export interface Bench {
  /** What follows `npm run bench --`. */
  readonly name: string;
  /** One line for the list of benches. */
  readonly summary: string;
  readonly peers: readonly Peer[];
  readonly cases: readonly Case[];
  readonly targets?: readonly Target[] | undefined;
  /** How often everything is run; figures are medians. @default 3 */
  readonly rounds?: number | undefined;
  /** It starts our programs itself, so that ours of another checkout cannot be one of its peers. @default false */
  readonly singleCheckout?: boolean | undefined;
  /** Starts what the peers need. */
  open(options: { readonly quick: boolean }): Promise<World>;
}

/** A program measured beside others. */
export interface Peer {
  readonly name: string;
  /** Whether it is the one that the others are compared with. At most one peer of a bench is. */
  readonly ours?: boolean | undefined;
  /** Builds it where needed, or says why it cannot run here. */
  prepare(): Promise<Prepared>;
}

export type Prepared =
  /** A program and its arguments. It is given `--name=value` arguments more, and prints figures as lines of JSON. */
  | { readonly command: readonly string[] }
  /** Why it is left out: "go is not installed". */
  | { readonly skipped: string };

/** One thing that every peer does, each time in a process of its own, so that the memory and connections are its own. */
export interface Case {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** Names of those who do it. @default all */
  readonly peers?: readonly string[] | undefined;
  /** Whether a quick run has it. @default true */
  readonly quick?: boolean | undefined;
}

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly better: "higher" | "lower";
}

/** A bound on the ratio of our figure to a peer's, or on a figure itself. */
export interface Target {
  /** Names of those it speaks of. */
  readonly peers: readonly string[];
  /** Name of a figure, in all cases that have it. */
  readonly figure: string;
  /** Whether the bound is on the figure, in its unit. @default false: on the ratio */
  readonly absolute?: boolean | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** Where one bench runs: what it started lives until it is disposed. */
export interface World extends AsyncDisposable {
  run(errand: Errand): Promise<Reading>;
  /** Lines for the end of the report, asked for when all is run. */
  notes?(): readonly string[];
}

/** One peer sent to do one case once. */
export interface Errand {
  readonly peer: string;
  readonly command: readonly string[];
  readonly case: Case;
}

/** Values by the names of the figures. */
export type Reading = Readonly<Record<string, number>>;
