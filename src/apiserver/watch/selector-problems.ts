import { aggregateText, type FieldError, invalid } from "../../schema/index.ts";
import { labelValueProblems, qualifiedNameProblems } from "../validation/name-rules.ts";

/** Returns the error of an invalid label selector, with the message of kube-apiserver. */
export function labelSelectorProblem(text: string): string {
  try {
    new LabelReader(text).read();
    return `unable to parse requirement: ${text}`;
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return error.message;
    throw error;
  }
}

class SelectorSyntaxError extends Error {}

interface Token {
  readonly text: string;
  /** False for symbols and for the end. */
  readonly isWord: boolean;
}

const end: Token = { text: "", isWord: false };
const operators: ReadonlySet<string> = new Set(["=", "==", "!=", ">", "<", "in", "notin"]);

/** Parses a selector. Throws a `SelectorSyntaxError` at the first error. */
class LabelReader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = [...text.matchAll(/([=!]=|[=!(),<>])|[^ \t\r\n=!(),<>]+/g)].map(([token, symbol]) => ({
      text: token,
      isWord: symbol === undefined,
    }));
  }

  read(): void {
    if (this.#peek() === end) return;
    this.#expect(this.#startsRequirement(), "!, identifier, or 'end of string'");
    for (;;) {
      inRequirement(() => this.#requirement());
      if (this.#peek() === end) return;
      this.#expect(this.#peek().text === ",", "',' or 'end of string'");
      this.#take();
      this.#expect(this.#startsRequirement(), "identifier after ','");
    }
  }

  #requirement(): void {
    const absent = this.#peek().text === "!";
    if (absent) this.#take();
    this.#expect(this.#peek().isWord, "identifier");
    const key = this.#take().text;
    check(qualifiedNameProblems(key).map((problem) => invalid("", key, problem)));
    if (absent || this.#peek() === end || this.#peek().text === ",") return;
    this.#expect(operators.has(this.#peek().text), "in, notin, =, ==, !=, gt, lt");
    this.#comparison(key, this.#take().text);
  }

  #comparison(key: string, operator: string): void {
    const list = operator === "in" || operator === "notin";
    const values = list ? this.#values() : [this.#value()];
    check(comparisonErrors(key, operator, values));
  }

  #value(): string {
    if (this.#peek() === end || this.#peek().text === ",") return "";
    this.#expect(this.#peek().isWord, "identifier");
    return this.#take().text;
  }

  #values(): string[] {
    const open = this.#take();
    if (open.text !== "(") throw new SelectorSyntaxError(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    if (this.#peek().text === ")") return values;
    this.#expect(this.#peek().isWord || this.#peek().text === ",", "',', ')' or identifier");
    for (;;) {
      const between = this.#peek().text === "," || this.#peek().text === ")";
      this.#expect(this.#peek().isWord || between, "',', or identifier");
      values.push(between ? "" : this.#take().text);
      this.#expect(this.#peek().text === "," || this.#peek().text === ")", "',' or ')'");
      if (this.#take().text === ")") return values;
    }
  }

  #startsRequirement(): boolean {
    return this.#peek().isWord || this.#peek().text === "!";
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? end;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #expect(fine: boolean, expected: string): void {
    if (!fine) throw new SelectorSyntaxError(`found '${this.#peek().text}', expected: ${expected}`);
  }
}

function inRequirement(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (error instanceof SelectorSyntaxError)
      throw new SelectorSyntaxError(`unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function check(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new SelectorSyntaxError(aggregateText(errors));
}

function comparisonErrors(key: string, operator: string, values: readonly string[]): FieldError[] {
  const ordered = operator === ">" || operator === "<";
  return values.flatMap((value, at) => [
    ...(ordered && !/^[+-]?\d+$/.test(value)
      ? [invalid(`values[${at}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
      : []),
    ...labelValueProblems(value).map((problem) => invalid(`values[${at}][${key}]`, value, problem)),
  ]);
}

/** Returns the error of an invalid field selector, with the message of kube-apiserver. */
export function fieldSelectorProblem(text: string): string {
  for (const [term] of text.matchAll(/(?:[^\\,]|\\.?)+/gs)) {
    const value = /(?:!=|==|=)(.*)$/s.exec(term)?.[1];
    if (value === undefined) return `invalid selector: '${text}'; can't understand '${term}'`;
    const wrong = /\\(?![\\,=]).?|(?<!\\)=/s.exec(value.replace(/\\[\\,=]/g, ""));
    if (wrong) return escapeProblem(wrong[0]);
  }
  return `invalid selector: '${text}'`;
}

function escapeProblem(found: string): string {
  const why = found === "=" ? "unescaped character in value: 61" : `invalid escape sequence: ${found}`;
  return `invalid field selector: ${why}`;
}
