/** What a request is warned of: each once, in order. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== "") this.#texts.add(text);
  }

  /** As values of the `Warning` header. Above 4096 characters in all, each is cut at 256. */
  get headers(): string[] {
    const texts = [...this.#texts].map(printable);
    const long = texts.reduce((sum, text) => sum + text.length, 0) > 4096;
    return texts.map((text) => `299 - "${escaped(long ? text.slice(0, 256) : text)}"`);
  }
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "").trim();
}

function escaped(text: string): string {
  return text.replace(/["\\]/g, "\\$&");
}
