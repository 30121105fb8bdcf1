/**
 * The warnings of one request, each reported once, in order.
 *
 * The `Warning` headers are limited as on kube-apiserver. Above 4096 characters in total, every text is cut to 256.
 * Once the cut texts have 4096 characters as well, further warnings are dropped.
 */
export class Warnings {
  readonly #texts = new Set<string>();
  /** Number of characters in the headers. */
  #length = 0;
  #truncating = false;

  add(text: string): void {
    if (text === "" || this.#full || this.#texts.has(text)) return;
    if (/\p{Cc}/u.test(text)) return; // kube-apiserver sends no text with control characters
    this.#texts.add(text);
    this.#length += this.#lengthOf(text);
    if (this.#length <= maxCharacters || this.#truncating) return;
    this.#truncating = true;
    this.#length = 0;
    for (const each of this.#texts) this.#length += this.#lengthOf(each);
  }

  /** The values of the `Warning` headers. */
  get headers(): string[] {
    return Array.from(this.#texts, (text) => `299 - "${escaped(this.#cut(text))}"`);
  }

  get #full(): boolean {
    return this.#truncating && this.#length >= maxCharacters;
  }

  #lengthOf(text: string): number {
    return Array.from(this.#cut(text)).length;
  }

  #cut(text: string): string {
    // A character has at most two UTF-16 units, so a prefix is enough and a long text is not split completely.
    const head = this.#truncating ? text.slice(0, 2 * maxTextLength) : text;
    return this.#truncating ? Array.from(head).slice(0, maxTextLength).join("") : head;
  }
}

const maxCharacters = 4096;
const maxTextLength = 256;

function escaped(text: string): string {
  return text.replace(/["\\]/g, "\\$&");
}
