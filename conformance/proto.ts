/** A minimal writer of protobuf, for scenarios about the bytes of a request. */
export const protobufType = "application/vnd.kubernetes.protobuf";

/** Returns a field with bytes: a text, or a message of fields. */
export function field(number: number, ...parts: ReadonlyArray<string | Buffer>): Buffer {
  const value = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
}

/** Returns a field with a number. */
export function numberField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8), varint(value)]);
}

/** Returns an object as a request has it: a prefix, and an envelope with the kind and the object. */
export function envelope(apiVersion: string, kind: string, ...object: readonly Buffer[]): Buffer {
  return Buffer.concat([prefix, field(1, field(1, apiVersion), field(2, kind)), field(2, ...object)]);
}

export const prefix: Buffer = Buffer.from("k8s\0");

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
