import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A field of a protobuf message. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  /** `string`, `Container`, `repeated Container`, `map Quantity`. A message has no package. */
  readonly type: string;
}

/** The messages of a package by name, each with its fields. */
export type ProtoMessages = ReadonlyMap<string, readonly ProtoField[]>;

/** Reads the messages of a Go package from its `generated.proto`. */
export function readProto(folder: string): ProtoMessages {
  const messages = new Map<string, ProtoField[]>();
  let fields: ProtoField[] = [];
  for (const line of readFileSync(join(folder, "generated.proto"), "utf8").split("\n")) {
    const opened = /^message (\w+) \{/.exec(line)?.[1];
    if (opened !== undefined) {
      fields = [];
      messages.set(opened, fields);
    }
    const field = fieldOf(line);
    if (field) fields.push(field);
  }
  return messages;
}

const fieldLine =
  /^ {2}(?:optional|(?<repeated>repeated)|map<string, (?<values>[\w.]+)>) ?(?<one>[\w.]+)? (?<name>\w+) = (?<number>\d+);/;

function fieldOf(line: string): ProtoField | undefined {
  const { repeated, values, one = "", name = "", number } = fieldLine.exec(line)?.groups ?? {};
  if (number === undefined) return undefined;
  const prefix = values === undefined ? (repeated ?? "") : "map";
  const type = (values ?? one).split(".").at(-1) ?? "";
  return { name, number: Number(number), type: `${prefix} ${type}`.trim() };
}
