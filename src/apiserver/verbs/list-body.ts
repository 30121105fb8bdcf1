import { type Clock, TimeSlice } from "../../base/index.ts";
import { writeJson } from "../../schema/index.ts";
import { parseStored } from "../codec/document.ts";
import type { OutputFormat } from "../codec/negotiation.ts";
import type { ListShape } from "../types/list-shape.ts";
import type { ResponseBody } from "../types/response-body.ts";
import { writeYaml, writeYamlElement } from "../yaml/yaml-writer.ts";

/** A list whose items are written as JSON, in parts to be joined. */
export interface WrittenList<Item> extends Omit<ListShape<Item>, "item"> {
  readonly items: readonly Item[];
  parts(item: Item): readonly string[];
}

/**
 * Length of a chunk in characters. Larger strings are allocated from fresh memory: chunks of four times the length take
 * twice as long.
 */
const chunkLength = 64 * 1024;

/**
 * Writes a list in the requested format. A short list is a string, a long one a list of chunks. Other requests are
 * served while it is written, at least every 10 ms.
 */
export async function listBody<Item>(
  clock: Clock,
  list: WrittenList<Item>,
  format: OutputFormat,
): Promise<ResponseBody> {
  const { opening, separator, element, closing } = notationOf(list, format);
  const slice = new TimeSlice(clock);
  const chunks: Buffer[] = [];
  let parts = [opening];
  let length = 0;
  for (const item of list.items) {
    if (length > 0 || chunks.length > 0) parts.push(separator);
    for (const part of element(list.parts(item))) {
      parts.push(part);
      length += part.length;
    }
    if (length >= chunkLength) {
      chunks.push(Buffer.from(parts.join("")));
      parts = [];
      length = 0;
    }
    if (slice.over) await slice.pause();
  }
  parts.push(closing);
  return chunks.length === 0 ? parts.join("") : [...chunks, Buffer.from(parts.join(""))];
}

/** The text around and between the items of a list. */
interface Notation {
  readonly opening: string;
  readonly separator: string;
  /** Converts the parts of an item from JSON. */
  element(json: readonly string[]): readonly string[];
  readonly closing: string;
}

function notationOf<Item>(list: WrittenList<Item>, { encoding, pretty }: OutputFormat): Notation {
  if (encoding === "yaml") return yamlNotation(list);
  return pretty ? prettyNotation(list) : jsonNotation(list);
}

function jsonNotation<Item>({ head, field, empty, items }: WrittenList<Item>): Notation {
  const opening = `${writeJson(head).slice(0, -1)},"${field}":`;
  if (items.length === 0) return notation(`${opening}${JSON.stringify(empty)}}\n`);
  return { opening: `${opening}[`, separator: ",", element: (json) => json, closing: "]}\n" };
}

function prettyNotation<Item>({ head, field, empty, items }: WrittenList<Item>): Notation {
  const whole = JSON.stringify({ ...head, [field]: empty }, undefined, 2);
  if (items.length === 0) return notation(whole);
  const indent = "\n    ";
  const value = `${JSON.stringify(empty)}\n}`;
  return {
    opening: `${whole.slice(0, -value.length)}[${indent}`,
    separator: `,${indent}`,
    element: (json) => [JSON.stringify(JSON.parse(json.join("")), undefined, 2).replaceAll("\n", indent)],
    closing: "\n  ]\n}",
  };
}

function yamlNotation<Item>({ head, field, empty, items }: WrittenList<Item>): Notation {
  const opening = writeYaml(parseStored(writeJson(head)));
  if (items.length === 0) return notation(`${opening}${writeYaml({ [field]: empty })}`);
  return {
    opening: `${opening}${field}:\n`,
    separator: "",
    element: (json) => [writeYamlElement(parseStored(json.join("")))],
    closing: "",
  };
}

/** Returns the text of a list without items. */
function notation(opening: string): Notation {
  return { opening, separator: "", element: (json) => json, closing: "" };
}
