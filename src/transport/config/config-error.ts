/**
 * An invalid configuration that the user has to fix. The message states the problem and its location, so an uncaught
 * error is printed without a stack trace.
 */
export class ConfigError extends Error {
  override readonly name: string = "ConfigError";
  /** Private, because Node prints public fields of an error, and the message already contains the problems. */
  readonly #problems: readonly string[];

  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    const list = typeof problems === "string" ? [problems] : problems;
    super(list.length === 1 ? list[0] : asList(list), options);
    this.#problems = list;
    this.stack = `ConfigError: ${this.message}`;
  }

  /** One sentence for each problem. */
  get problems(): readonly string[] {
    return this.#problems;
  }
}

/** Throws one error for all `problems`, if there are any. */
export function throwIfAny(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Returns the system's code for an unreadable file, without the path: "ENOENT". */
export function systemCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return String(error);
}

function asList(problems: readonly string[]): string {
  const lines = problems.map((problem) => `\n- ${problem}`);
  return `expected a usable configuration, got ${problems.length} problems:${lines.join("")}`;
}
