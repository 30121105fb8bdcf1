/**
 * Writes an OpenAPI 2.0 document in the protobuf form that Go clients request: `Document` of `OpenAPIv2.proto`.
 *
 * A message is described by a table of its fields by JSON name. Other fields are extensions, whose values are JSON
 * text, which is YAML too.
 */
import type { SwaggerOperation, SwaggerParameter, SwaggerPath, SwaggerResponse } from "./swagger-paths.ts";
import type { SwaggerSchema } from "./swagger-schema.ts";

/** Writes a value as the field of a message. */
type FieldWriter = (value: unknown) => Buffer;

interface MessageTable {
  readonly fields: Readonly<Record<string, FieldWriter | undefined>>;
  /** The field of the extensions. Without it, other fields are omitted. */
  readonly extensions?: number;
}

/** Returns a field with bytes. */
export function bytesField(number: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((total, part) => total + part.length, 0);
  return Buffer.concat([varint(number * 8 + 2), varint(length), ...parts]);
}

function textField(number: number, text: string): Buffer {
  return bytesField(number, Buffer.from(text));
}

const text =
  (number: number): FieldWriter =>
  (value) =>
    textField(number, String(value));
const flag =
  (number: number): FieldWriter =>
  (value) =>
    Buffer.concat([varint(number * 8), varint(value ? 1 : 0)]);
const count =
  (number: number): FieldWriter =>
  (value) =>
    Buffer.concat([varint(number * 8), varint(Number(value))]);

function double(number: number): FieldWriter {
  return (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(Number(value));
    return Buffer.concat([varint(number * 8 + 1), bytes]);
  };
}

/** A list, whose elements are fields of the same number. */
function list(element: FieldWriter): FieldWriter {
  return (values) => Buffer.concat((values as readonly unknown[]).map(element));
}

/** A value of any type. */
const any =
  (number: number): FieldWriter =>
  (value) =>
    bytesField(number, textField(2, JSON.stringify(value)));

/** A map, whose entries have a name in field 1 and a value in field 2. */
function map(number: number, value: FieldWriter): FieldWriter {
  return (entries) =>
    Buffer.concat(
      Object.entries(entries as object).map(([name, one]) =>
        bytesField(number, textField(1, name), value(one)),
      ),
    );
}

function message({ fields, extensions }: MessageTable, value: object): Buffer {
  const parts = Object.entries(value).map(([name, field]) => {
    if (field === undefined) return Buffer.alloc(0);
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known) return known(field);
    return extensions && name.startsWith("x-")
      ? bytesField(extensions, textField(1, name), any(2)(field))
      : Buffer.alloc(0);
  });
  return Buffer.concat(parts);
}

const schemaTable: MessageTable = {
  fields: {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: flag(8),
    minimum: double(9),
    exclusiveMinimum: flag(10),
    maxLength: count(11),
    minLength: count(12),
    pattern: text(13),
    maxItems: count(14),
    minItems: count(15),
    uniqueItems: flag(16),
    maxProperties: count(17),
    minProperties: count(18),
    required: list(text(19)),
    enum: list(any(20)),
    additionalProperties: (value) =>
      bytesField(21, typeof value === "boolean" ? flag(2)(value) : schemaField(1)(value)),
    type: (value) => bytesField(22, textField(1, String(value))),
    items: (value) => bytesField(23, schemaField(1)(value)),
    properties: (value) => bytesField(25, map(1, schemaField(2))(value)),
  },
  extensions: 31,
};

function schemaField(number: number): FieldWriter {
  // Only schemas are written with this.
  return (value) => bytesField(number, message(schemaTable, value as SwaggerSchema));
}

const bodyTable: MessageTable = {
  fields: { name: text(2), in: text(3), required: flag(4), schema: schemaField(5) },
};

const queryTable: MessageTable = {
  fields: { required: flag(1), in: text(2), name: text(4), type: text(6), uniqueItems: flag(20) },
};

const pathTable: MessageTable = {
  fields: { required: flag(1), in: text(2), name: text(4), type: text(5), uniqueItems: flag(19) },
};

function parameterField(number: number): FieldWriter {
  return (value) => {
    // Only parameters are written with this.
    const parameter = value as SwaggerParameter;
    return bytesField(number, bytesField(1, oneParameter(parameter)));
  };
}

function oneParameter(parameter: SwaggerParameter): Buffer {
  if (parameter.in === "body") return bytesField(1, message(bodyTable, parameter));
  const isQuery = parameter.in === "query";
  const written = message(isQuery ? queryTable : pathTable, parameter);
  return bytesField(2, bytesField(isQuery ? 3 : 4, written));
}

const responseTable: MessageTable = {
  fields: { description: text(1), schema: (value) => bytesField(2, schemaField(1)(value)) },
};

function responseField(number: number): FieldWriter {
  // Only responses are written with this.
  return (value) => bytesField(number, bytesField(1, message(responseTable, value as SwaggerResponse)));
}

const operationTable: MessageTable = {
  fields: {
    tags: list(text(1)),
    operationId: text(5),
    produces: list(text(6)),
    consumes: list(text(7)),
    parameters: list(parameterField(8)),
    responses: (value) => bytesField(9, map(1, responseField(2))(value)),
    schemes: list(text(10)),
  },
  extensions: 13,
};

function operationField(number: number): FieldWriter {
  // Only operations are written with this.
  return (value) => bytesField(number, message(operationTable, value as SwaggerOperation));
}

const pathItemTable: MessageTable = {
  fields: {
    get: operationField(2),
    put: operationField(3),
    post: operationField(4),
    delete: operationField(5),
    patch: operationField(8),
    parameters: list(parameterField(9)),
  },
};

/** Returns a path as a part of the document. */
export function pathEntry(path: string, item: SwaggerPath): Buffer {
  return bytesField(2, textField(1, path), bytesField(2, message(pathItemTable, item)));
}

/** Returns a definition as a part of the document. */
export function definitionEntry(name: string, schema: SwaggerSchema): Buffer {
  return bytesField(1, textField(1, name), schemaField(2)(schema));
}

export interface ProtobufParts {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: readonly Buffer[];
  readonly definitions: readonly Buffer[];
  /** The header with the token of a user. */
  readonly token: { readonly type: string; readonly name: string; readonly in: string };
}

/** Returns the chunks of a document. */
export function documentChunks({ info, paths, definitions, token }: ProtobufParts): Buffer[] {
  const tokenField = bytesField(2, message({ fields: { type: text(1), name: text(2), in: text(3) } }, token));
  return [
    textField(1, "2.0"),
    bytesField(2, message({ fields: { title: text(1), version: text(2) } }, info)),
    bytesField(8, ...paths),
    bytesField(9, ...definitions),
    bytesField(12, bytesField(1, textField(1, "BearerToken"), bytesField(2))),
    bytesField(13, bytesField(1, textField(1, "BearerToken"), bytesField(2, tokenField))),
  ];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
