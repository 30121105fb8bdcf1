import type { Problem } from "./place.ts";

/** A kind that no API server could serve, or whose objects would not have the type of its schema. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError";
  /** Not a field, or Node would print once more what the message says. */
  readonly #problems: readonly Problem[];

  /** @param kind the kind with its group and version, as people read it */
  constructor(kind: string, problems: readonly Problem[]) {
    const lines = problems.map(({ field, reason }) => `\n  ${field}: ${reason}`);
    super(`expected a schema of ${kind} that an API server can serve, got${lines.join("")}`);
    this.#problems = problems;
  }

  /** Names first, then in the order of the schema, each once. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }
}
