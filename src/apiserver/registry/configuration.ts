import type { ConfigMap, Secret } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, invalid, tooLong } from "../../schema/index.ts";
import { wasSentEmpty } from "../sent-empty.ts";
import { configKeyErrors } from "./config-key-errors.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { secretTypeErrors } from "./secret-errors.ts";

export const configuration: readonly KindEntry[] = [
  entry<ConfigMap>("/ConfigMap", {
    tellsEmpty: ["binaryData"],
    validate: ({ data = {}, binaryData = {} }) => [
      ...Object.keys(data).flatMap((key) => configKeyErrors(key, `data[${key}]`)),
      ...Object.keys(data)
        .filter((key) => Object.hasOwn(binaryData, key))
        .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
      ...Object.keys(binaryData).flatMap((key) => configKeyErrors(key, `binaryData[${key}]`)),
      ...sizeErrors(textBytes(data) + decodedBytes(binaryData), "[]"), // as the real server names the whole
    ],
    validateUpdate: (map, before) => frozenErrors(map, before, ["data", "binaryData"]),
  }),
  entry<Secret>("/Secret", {
    tellsEmpty: ["data"],
    default(secret) {
      secret.type ??= "Opaque";
      takeStringData(secret);
    },
    /** A type once given stays. Left out, it is the one there was. */
    prepareUpdate(secret, before) {
      if (!secret.type) secret.type = before.type;
    },
    validate: (secret) => [
      ...Object.keys(secret.data ?? {}).flatMap((key) => configKeyErrors(key, `data[${key}]`)),
      ...sizeErrors(decodedBytes(secret.data ?? {}), "data"),
      ...secretTypeErrors(secret),
    ],
    validateUpdate: (secret, before) => [
      ...(secret.type === before.type ? [] : [invalid("type", secret.type, "field is immutable")]),
      ...frozenErrors(secret, before, ["data"]),
    ],
    fields: { type: ({ type }) => type ?? "" },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

/** Text becomes data, and is never told again. */
function takeStringData(secret: Secret): void {
  const { stringData } = secret;
  if (!stringData) return;
  const encoded = Object.entries(stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString("base64")] as const,
  );
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}

const mostBytes = 1024 * 1024;

function sizeErrors(bytes: number, field: string): FieldError[] {
  return bytes > mostBytes ? [tooLong(field, mostBytes)] : [];
}

function textBytes(data: Readonly<Record<string, string>>): number {
  return Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function decodedBytes(data: Readonly<Record<string, string>>): number {
  return Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text, "base64"), 0);
}

interface Freezable {
  readonly immutable?: boolean | undefined;
}

/** Data that was declared immutable stays, and so does the declaration. */
function frozenErrors<T extends Freezable & object>(
  object: T,
  before: T,
  fields: ReadonlyArray<keyof T & string>,
): FieldError[] {
  if (!before.immutable) return [];
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter(
    (field) => wasSentEmpty(object, field) || !equal(object[field] ?? {}, before[field] ?? {}),
  );
  return [
    ...(object.immutable ? [] : [forbidden("immutable", detail)]),
    ...changed.map((field) => forbidden(field, detail)),
  ];
}
