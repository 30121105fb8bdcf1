import { messages } from "../../api/types/protobuf.ts";

/** A field of a message in the generated table. */
export interface TableField {
  readonly number: number;
  /** The name in JSON. Empty for an embedded struct. */
  readonly name: string;
  /** The name of the Go field. Empty for embedded metadata. */
  readonly goName: string;
  /** The message whose fields are fields of this object, by the name of `fieldsOf`. Empty for other fields. */
  readonly embedded: string;
}

/** Returns true if the table has a message. It has all except discovery documents. */
export function hasMessage(message: string): boolean {
  return table().has(message);
}

/** Returns the fields of a message, by its OpenAPI name, such as `io.k8s.api.core.v1.Pod`. */
export function fieldsOf(message: string): readonly TableField[] {
  const text = table().get(message);
  if (text === undefined) throw new Error(`expected a message ${message} in the generated table, got none`);
  return parseFields(text, message.slice(0, message.lastIndexOf(".") + 1));
}

function table(): ReadonlyMap<string, string> {
  parsedTable ??= parseMessages(messages);
  return parsedTable;
}

let parsedTable: ReadonlyMap<string, string> | undefined;

/** Returns the text of the fields by message. A line with `@` names the package of the lines after it. */
function parseMessages(text: string): Map<string, string> {
  const parsed = new Map<string, string>();
  let prefix = "";
  for (const line of text.trim().split("\n")) {
    const [name = ""] = line.split(" ", 1);
    if (name.startsWith("@")) prefix = `${name.slice(1)}.`;
    else parsed.set(prefix + name, line.slice(name.length + 1));
  }
  return parsed;
}

/** Parses `metadata status=3 uid:UID ~Handler`. A number is that of the previous field and 1, unless it is written. */
function parseFields(text: string, prefix: string): TableField[] {
  let number = 0;
  return text
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => {
      const [field = "", written] = part.split("=");
      number = written === undefined ? number + 1 : Number(written);
      return { number, ...namesOf(field, prefix) };
    });
}

function namesOf(field: string, prefix: string): Omit<TableField, "number"> {
  if (field.startsWith("~")) {
    const goName = field.slice(1);
    return { name: "", goName, embedded: prefix + goName };
  }
  const [name = "", goName = capitalized(name)] = field.split(":");
  return { name, goName: name === "metadata" ? "" : goName, embedded: "" };
}

function capitalized(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
