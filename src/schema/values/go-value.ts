import { compareBytes } from "./compare-bytes.ts";
import { goNumber, goQuoted } from "./go-text.ts";
import { isArray, isObject, type JsonType, typeOf } from "./json-value.ts";

/** Returns the JSON type of a value as Go's decoder names it: `cannot unmarshal number into ...`. */
export function jsonTypeName(value: unknown): string {
  const type = typeOf(value);
  if (type === "boolean") return "bool";
  return type === "integer" ? "number" : type;
}

/** Returns the Go type of a value decoded from JSON, as `%T` prints it. */
export function goTypeName(value: unknown): string {
  return goTypeNames[typeOf(value)];
}

const goTypeNames: Readonly<Record<JsonType, string>> = {
  null: "<nil>",
  boolean: "bool",
  integer: "int64",
  number: "float64",
  string: "string",
  array: "[]interface {}",
  object: "map[string]interface {}",
};

/** Formats a value like Go's `%v`: `map[a:1 b:[x y]]`. */
export function goValue(value: unknown): string {
  return printed(value, plainNotation);
}

/** Formats a value like Go's `%s`: `%!s(int64=5)`. */
export function goString(value: unknown): string {
  return value === null ? "%!s(<nil>)" : printed(value, { ...plainNotation, scalar: typedScalar });
}

/** Formats a value like Go's `%#v`: `map[string]interface {}{"a":1, "b":[]interface {}{"x"}}`. */
export function goSyntax(value: unknown): string {
  return printed(value, syntaxNotation);
}

interface Notation {
  scalar(value: unknown): string;
  key(key: string): string;
  readonly separator: string;
  readonly list: Brackets;
  readonly map: Brackets;
}

type Brackets = readonly [opening: string, closing: string];

const plainNotation: Notation = {
  scalar: plainScalar,
  key: (key) => `${key}:`,
  separator: " ",
  list: ["[", "]"],
  map: ["map[", "]"],
};

const syntaxNotation: Notation = {
  scalar: (value) =>
    value === null ? "interface {}(nil)" : typeof value === "string" ? goQuoted(value) : plainScalar(value),
  key: (key) => `${goQuoted(key)}:`,
  separator: ", ",
  list: [`${goTypeNames.array}{`, "}"],
  map: [`${goTypeNames.object}{`, "}"],
};

function plainScalar(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return goNumber(value);
  return value === null ? "<nil>" : String(value);
}

function typedScalar(value: unknown): string {
  const text = plainScalar(value);
  return value === null || typeof value === "string" ? text : `%!s(${goTypeName(value)}=${text})`;
}

interface Text {
  readonly text: string;
}

interface Value {
  readonly value: unknown;
}

/** Formats without recursion, so any depth is safe. `pending` is in reverse order. */
function printed(value: unknown, notation: Notation): string {
  const texts: string[] = [];
  const pending: Array<Text | Value> = [{ value }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ("text" in next) texts.push(next.text);
    else if (!isArray(next.value) && !isObject(next.value)) texts.push(notation.scalar(next.value));
    else for (const inner of partsOf(next.value, notation).reverse()) pending.push(inner);
  }
  return texts.join("");
}

function partsOf(container: object, { key: keyText, separator, list, map }: Notation): Array<Text | Value> {
  const between = { text: separator };
  if (isArray(container)) {
    const elements = container.flatMap((value) => [between, { value }]);
    return [{ text: list[0] }, ...elements.slice(1), { text: list[1] }];
  }
  const entries = Object.entries(container).sort(([one], [other]) => compareBytes(one, other));
  const fields = entries.flatMap(([key, value]) => [between, { text: keyText(key) }, { value }]);
  return [{ text: map[0] }, ...fields.slice(1), { text: map[1] }];
}
