import { type LabelProblem, labelKeyProblem, labelValueProblem } from "./label.ts";
import { SelectorError } from "./selector-error.ts";

/** One requirement of a selector. `!=`, `notin` and `absent` also hold if the key is missing. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: "=" | "!=" | "in" | "notin" | "exists" | "absent" | ">" | "<";
  /** One value for `=`, `!=`, `>`, `<`; one or more, sorted, for `in` and `notin`; none for the others. */
  readonly values: readonly string[];
}

/**
 * Parses Kubernetes' label selector syntax:
 *
 *     selector    = [ requirement *( "," requirement ) ]
 *     requirement = [ "!" ] key
 *                 | key ( "=" | "==" | "!=" | ">" | "<" ) [ value ]
 *                 | key ( "in" | "notin" ) "(" [ value ] *( "," [ value ] ) ")"
 *
 * White space only separates words. A missing value is empty.
 */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  return new Parser(text).selector();
}

interface Token {
  readonly text: string;
  readonly at: number;
  /** True for a key, a value, `in` or `notin`; false for a symbol and the end. */
  readonly word: boolean;
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokens(text);
  }

  selector(): LabelRequirement[] {
    if (this.#peek().text === "") return [];
    const requirements = [this.#requirement()];
    while (this.#accept(",")) requirements.push(this.#requirement());
    const { text } = this.#peek();
    if (text !== "") throw this.#unexpected(`"," or the end`);
    return requirements;
  }

  #requirement(): LabelRequirement {
    const absent = this.#accept("!");
    const key = this.#key();
    if (absent) return { key, operator: "absent", values: [] };
    if (this.#peek().text === "" || this.#peek().text === ",") return { key, operator: "exists", values: [] };
    return this.#comparison(key);
  }

  #comparison(key: string): LabelRequirement {
    const { text } = this.#take();
    switch (text) {
      case "=":
      case "==":
        return { key, operator: "=", values: [this.#value().text] };
      case "!=":
        return { key, operator: "!=", values: [this.#value().text] };
      case ">":
      case "<":
        return { key, operator: text, values: [this.#integer()] };
      case "in":
      case "notin":
        return { key, operator: text, values: this.#values() };
      default:
        this.#next--;
        throw this.#unexpected(`an operator (=, !=, in, notin, >, <) after key ${JSON.stringify(key)}`);
    }
  }

  #key(): string {
    const token = this.#peek();
    if (!token.word) throw this.#unexpected("a label key");
    this.#check(token, labelKeyProblem(token.text));
    return this.#take().text;
  }

  #values(): string[] {
    if (!this.#accept("(")) throw this.#unexpected(`"(" before the values`);
    const values = new Set([this.#value().text]);
    while (this.#accept(",")) values.add(this.#value().text);
    if (!this.#accept(")")) throw this.#unexpected(`"," or ")" after a value`);
    return [...values].sort();
  }

  /** Reads a value. A missing value is empty. */
  #value(): Token {
    const token = this.#peek();
    if (!token.word) {
      if (token.text !== "" && token.text !== "," && token.text !== ")")
        throw this.#unexpected("a label value");
      return { text: "", at: token.at, word: true };
    }
    this.#check(token, labelValueProblem(token.text));
    return this.#take();
  }

  #integer(): string {
    const { text, at } = this.#value();
    if (isInt64(text)) return text;
    const got = text === "" ? "nothing" : JSON.stringify(text);
    throw this.#error({ expected: "an integer below 2^63 to compare with", got, at });
  }

  #check(token: Token, problem: LabelProblem | undefined): void {
    if (problem) throw this.#error({ ...problem, at: token.at + problem.at });
  }

  #accept(symbol: string): boolean {
    const { text, word } = this.#peek();
    if (word || text !== symbol) return false;
    this.#next++;
    return true;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { text: "", at: this.#text.length, word: false };
  }

  #unexpected(expected: string): SelectorError {
    const { text, at } = this.#peek();
    return this.#error({ expected, got: text === "" ? "the end" : JSON.stringify(text), at });
  }

  #error(problem: LabelProblem): SelectorError {
    return new SelectorError("label", this.#text, problem);
  }
}

function tokens(text: string): Token[] {
  return [...text.matchAll(/([=!]=|[=!(),<>])|[^ \t\r\n=!(),<>]+/g)].map((match) => ({
    text: match[0],
    at: match.index,
    word: match[1] === undefined,
  }));
}

/** Returns true if Kubernetes can compare the value. Label values have no sign. */
export function isInt64(text: string): boolean {
  return /^\d+$/.test(text) && BigInt(text) < 1n << 63n;
}
