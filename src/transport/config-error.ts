/**
 * The configuration cannot be used, and its owner has to change something. The message says what
 * and where; there is nothing for a stack trace to add, and Node prints none where nobody catches it.
 */
export class ConfigError extends Error {
  override readonly name: string = "ConfigError";
  /** Not a field, or Node would print once more what the message says. */
  readonly #problems: readonly string[];

  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    const list = typeof problems === "string" ? [problems] : problems;
    super(list.length === 1 ? list[0] : asList(list), options);
    this.#problems = list;
    this.stack = `ConfigError: ${this.message}`;
  }

  /** Each thing that is wrong, in a sentence of its own. */
  get problems(): readonly string[] {
    return this.#problems;
  }
}

/** Throws one error for all `problems`, if there are any. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError(problems);
}

/** What the system says about a file that cannot be read, without the path: "ENOENT". */
export function systemCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return String(error);
}

function asList(problems: readonly string[]): string {
  const lines = problems.map((problem) => `\n- ${problem}`);
  return `expected a usable configuration, got ${problems.length} problems:${lines.join("")}`;
}
