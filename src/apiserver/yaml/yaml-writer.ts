import { runAtOnce, type Steps } from "../../base/index.ts";
import { isArray, isObject, type JsonObject } from "../../schema/index.ts";

/**
 * Encodes JSON as YAML that every reader of YAML 1.1 and 1.2 reads as the same values. The notation is the usual one of
 * Kubernetes (lists are not indented, texts of several lines are blocks), but not to the letter that of kube-apiserver:
 * no client depends on it, and kubectl formats YAML itself.
 *
 * The `yaml` package cannot do this work: it encodes an object in one call, which holds the event loop for 200 ms at
 * 1.3 MB, and takes seven times as long.
 */
export function writeYaml(value: unknown): string {
  return runAtOnce(yamlSteps(value));
}

/** Encodes YAML like `writeYaml`, with a step for each part of a long object or list. */
export function* yamlSteps(value: unknown): Steps<string> {
  return yield* new YamlWriter().write(value);
}

/** Encodes an element of a list that is not indented, with its dash and its line end. */
export function writeYamlElement(value: unknown): string {
  return writeYaml([value]);
}

/** The object or list whose content is being written. */
interface OpenContainer {
  readonly container: JsonObject | readonly unknown[];
  /** The keys of an object. */
  readonly keys?: readonly string[] | undefined;
  readonly indent: string;
  /** The index of the next element or field. */
  next: number;
  /** True if the first element or field continues a line, after the dash of a list. */
  readonly inline: boolean;
}

const entriesInStep = 256;

/** Writes without recursion, so any depth is safe. */
class YamlWriter {
  readonly #parts: string[] = [];
  readonly #open: OpenContainer[] = [];

  *write(value: unknown): Steps<string> {
    if (isEmpty(value) || !isContainer(value)) return `${scalarText(value, "")}\n`;
    this.#begin(value, "", false);
    let written = 0;
    for (let open = this.#open.at(-1); open; open = this.#open.at(-1)) {
      this.#writeNext(open);
      written += 1;
      if (written % entriesInStep === 0) yield;
    }
    return this.#parts.join("");
  }

  #begin(container: OpenContainer["container"], indent: string, inline: boolean): void {
    const keys = isArray(container) ? undefined : Object.keys(container);
    this.#open.push({ container, keys, indent, next: 0, inline });
  }

  #writeNext(open: OpenContainer): void {
    const { container, keys, indent } = open;
    const index = open.next++;
    const start = open.inline && index === 0 ? "" : indent;
    if (isArray(container)) {
      if (index === container.length) this.#open.pop();
      else this.#writeEntry(`${start}-`, container[index], { indent, inList: true });
      return;
    }
    const key = keys?.[index];
    if (key === undefined) this.#open.pop();
    else this.#writeEntry(`${start}${keyText(key, indent)}:`, container[key], { indent, inList: false });
  }

  #writeEntry(head: string, value: unknown, { indent, inList }: EntryPlace): void {
    const inner = `${indent}  `;
    if (isEmpty(value) || !isContainer(value)) {
      this.#parts.push(head, " ", scalarText(value, inner), "\n");
      return;
    }
    this.#parts.push(head, inList ? " " : "\n");
    this.#begin(value, inList || !isArray(value) ? inner : indent, inList);
  }
}

interface EntryPlace {
  readonly indent: string;
  readonly inList: boolean;
}

function isContainer(value: unknown): value is OpenContainer["container"] {
  return isArray(value) || isObject(value);
}

function isEmpty(value: unknown): boolean {
  return isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Maximum length of a key without a question mark. Readers look for its colon in the next 1024 characters. */
const maxSimpleKey = 1000;

function keyText(key: string, indent: string): string {
  const text = isPlain(key) ? key : quoted(key);
  return text.length <= maxSimpleKey ? text : `? ${text}\n${indent}`;
}

/** Encodes a scalar or an empty container. The lines of a block start with `indent`, if there is one. */
function scalarText(value: unknown, indent: string): string {
  if (isArray(value)) return "[]";
  if (typeof value !== "string") return isObject(value) ? "{}" : String(value);
  if (isPlain(value)) return value;
  const isBlock = indent !== "" && value.includes("\n") && !unfitForBlock.test(value);
  return isBlock ? block(value, indent) : quoted(value);
}

/** Plain texts are short, because the expression uses the stack. */
const maxPlain = 200;

/** Texts without quotes have words, with single spaces or colons between them, and start with a letter or slash. */
const plain = /^[A-Za-z/][\w./@%+=,;-]*(?:[ :][\w./@%+=,;-]+)*$/;

/** Texts that a reader takes for another type: booleans and null of YAML 1.1, and exponents without a number. */
const otherType = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;

function isPlain(text: string): boolean {
  return text.length <= maxPlain && plain.test(text) && !otherType.test(text);
}

/**
 * Texts that a block cannot represent: with white space at the start or before a line end, or with characters that need
 * an escape. U+2028 and U+2029 are line ends in YAML 1.1.
 */
const unfitForBlock =
  /^[ \n]| \n| $|[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Encodes a text as a block. The indicator depends on the line ends at the end of the text. */
function block(text: string, indent: string): string {
  const indicator = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  return `|${indicator}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}`;
}

/**
 * Encodes a text in double quotes. JSON escapes are YAML escapes, but YAML needs more of them. Halves of surrogate
 * pairs are replaced, as in Go.
 */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(unprintable, escaped);
}

const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
