import { below, type Rng } from "../base/index.ts";

/**
 * Returns a random string that matches a regular expression of the common syntax of Go and JavaScript. Look-around,
 * back references and word boundaries are ignored, so the caller has to validate the result.
 */
export function randomMatch(pattern: string, rng: Rng): string {
  return new PatternSampler(pattern, rng).alternatives();
}

/** The most repetitions of an unbounded quantifier beyond its minimum. */
const maxMore = 3;
const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const wordCharacters: string = `${lower}${lower.toUpperCase()}${digits}_`;
/** Candidates for a negated class and for `.`. */
const printable: string = `${wordCharacters} -./:@%+,=`;
const classes: Readonly<Record<string, string>> = {
  d: digits,
  w: wordCharacters,
  s: " ",
  D: lower,
  W: "-./:",
  S: wordCharacters,
};
const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/**
 * Reads a pattern from left to right and generates a match of every part. Generating a part several times reads it
 * again.
 */
class PatternSampler {
  readonly #pattern: string;
  readonly #rng: Rng;
  #at = 0;

  constructor(pattern: string, rng: Rng) {
    this.#pattern = pattern;
    this.#rng = rng;
  }

  /** Generates one of the alternatives up to the end or the closing parenthesis. */
  alternatives(): string {
    const all = [this.#sequence()];
    while (this.#take("|")) all.push(this.#sequence());
    return all[below(this.#rng, all.length)] ?? "";
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#pattern.length && !"|)".includes(this.#next())) text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const start = this.#at;
    const first = this.#atom();
    const { min, max } = this.#quantifier();
    const end = this.#at;
    const count = min + below(this.#rng, max - min + 1);
    const parts = count > 0 ? [first] : [];
    while (parts.length < count) {
      this.#at = start;
      parts.push(this.#atom());
    }
    this.#at = end;
    return parts.join("");
  }

  #quantifier(): { readonly min: number; readonly max: number } {
    const [text, symbol, from, comma, to] =
      /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (text === undefined) return { min: 1, max: 1 };
    this.#at += text.length;
    if (symbol !== undefined) return { min: symbol === "+" ? 1 : 0, max: symbol === "?" ? 1 : maxMore };
    const min = Number(from);
    return { min, max: to ? Math.min(Number(to), min + maxMore) : comma ? min + maxMore : min };
  }

  #atom(): string {
    if (this.#take("^") || this.#take("$")) return "";
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#characterClass();
    if (this.#take("\\")) return this.#oneOf(this.#escaped());
    if (this.#take(".")) return this.#oneOf(printable);
    return this.#pattern[this.#at++] ?? "";
  }

  #group(): string {
    const [flags] = /^\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+(?=\)))/.exec(this.#pattern.slice(this.#at)) ?? [""];
    this.#at += flags.length;
    const text = this.alternatives();
    this.#take(")");
    return text;
  }

  #characterClass(): string {
    const negated = this.#take("^");
    let members = "";
    while (this.#at < this.#pattern.length && !(members !== "" && this.#next() === "]"))
      members += this.#member();
    this.#take("]");
    return this.#oneOf(negated ? [...printable].filter((each) => !members.includes(each)).join("") : members);
  }

  /** Reads a character, an escaped class or a range of a character class. */
  #member(): string {
    const from = this.#take("\\") ? this.#escaped() : (this.#pattern[this.#at++] ?? "");
    const isRange = this.#next() === "-" && this.#pattern[this.#at + 1] !== "]" && from.length === 1;
    if (!isRange) return from;
    this.#at++;
    const to = this.#take("\\") ? this.#escaped() : (this.#pattern[this.#at++] ?? "");
    const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
    // A range such as all of Unicode is sampled by its first characters.
    const count = Math.min(Math.max(last - first + 1, 1), 128);
    return Array.from({ length: count }, (_, index) => String.fromCodePoint(first + index)).join("");
  }

  /** Returns the characters that the escape after a backslash stands for. */
  #escaped(): string {
    const [code, ...hex] =
      /^(?:x\{([\dA-Fa-f]+)\}|x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4}))/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (code !== undefined) {
      this.#at += code.length;
      return String.fromCodePoint(Number.parseInt(hex.join(""), 16));
    }
    const [property] = /^[pP](?:\{\w+\}|\w)/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (property !== undefined) {
      this.#at += property.length;
      return lower;
    }
    const character = this.#pattern[this.#at++] ?? "";
    if ("bBAz".includes(character)) return "";
    return classes[character] ?? controls[character] ?? character;
  }

  #oneOf(characters: string): string {
    const all = [...characters];
    return all[below(this.#rng, all.length)] ?? "";
  }

  #next(): string {
    return this.#pattern[this.#at] ?? "";
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }
}
