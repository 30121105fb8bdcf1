import type { Problem } from "./place.ts";

/** Thrown for a kind that an API server could not serve, or whose objects would not have the type of its schema. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError";
  /** A private field, because Node prints public fields of an error in addition to its message. */
  readonly #problems: readonly Problem[];

  /** @param kind The kind with its group and version, as messages print it. */
  constructor(kind: string, problems: readonly Problem[]) {
    const lines = problems.map(({ field, reason }) => `\n  ${field}: ${reason}`);
    super(`expected a schema of ${kind} that an API server can serve, got${lines.join("")}`);
    this.#problems = problems;
  }

  /** The problems: names first, then in schema order, each once. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }
}
