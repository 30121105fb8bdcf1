/**
 * One benchmark: its peers, cases and environment.
 * A file in `benches/` exports one as `bench`. Nothing else is needed to add it.
 */
export interface Bench {
  /** The name after `npm run bench --`. */
  readonly name: string;
  /** One line for the list of benches. */
  readonly summary: string;
  readonly peers: readonly Peer[];
  readonly cases: readonly Case[];
  readonly targets?: readonly Target[] | undefined;
  /** Number of rounds. Figures are medians. @default 3 */
  readonly rounds?: number | undefined;
  /** True if it starts our programs itself, so that ours of another checkout cannot be a peer. @default false */
  readonly singleCheckout?: boolean | undefined;
  /** Starts the servers that the peers need. */
  open(options: { readonly quick: boolean }): Promise<World>;
}

/** A measured program. */
export interface Peer {
  readonly name: string;
  /** True if the others are compared with this one. At most one peer of a bench. */
  readonly ours?: boolean | undefined;
  /** Builds the program if needed, or returns the reason why it cannot run here. */
  prepare(): Promise<Prepared>;
}

export type Prepared =
  /** A program and its arguments. It also gets `--name=value` arguments, and prints figures as lines of JSON. */
  | { readonly command: readonly string[] }
  /** Why it is skipped: "go is not installed". */
  | { readonly skipped: string };

/** One task for every peer. Each run is a separate process, so that memory and connections are its own. */
export interface Case {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** Names of the peers that run it. @default all */
  readonly peers?: readonly string[] | undefined;
  /** True if a quick run includes it. @default true */
  readonly quick?: boolean | undefined;
}

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly better: "higher" | "lower";
}

/** A bound on the ratio of our figure to a peer's, or on a figure itself. */
export interface Target {
  /** Names of the peers in the comparison. */
  readonly peers: readonly string[];
  /** Name of a figure, in all cases that have it. */
  readonly figure: string;
  /** True if the bound is on the figure, in its unit. @default false: on the ratio */
  readonly absolute?: boolean | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** The environment of one bench. Its servers run until it is disposed. */
export interface World extends AsyncDisposable {
  run(errand: Errand): Promise<Reading>;
  /** Lines for the end of the report, read after the last run. */
  notes?(): readonly string[];
}

/** One run of one case by one peer. */
export interface Errand {
  readonly peer: string;
  readonly command: readonly string[];
  readonly case: Case;
}

/** Values by the names of the figures. */
export type Reading = Readonly<Record<string, number>>;
