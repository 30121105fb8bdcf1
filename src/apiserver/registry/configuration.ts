import type { ConfigMap, Secret } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, invalid, tooLong } from "../../schema/index.ts";
import { wasSentEmpty } from "../codec/sent-empty.ts";
import { configKeyErrors } from "./config-key-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { secretTypeErrors } from "./secret-errors.ts";

export const configuration: readonly KindEntry[] = [
  kindEntry<ConfigMap>("/ConfigMap", {
    distinguishesEmpty: ["binaryData"],
    validate: ({ data = {}, binaryData = {} }) => [
      ...Object.keys(data).flatMap((key) => configKeyErrors(key, `data[${key}]`)),
      ...Object.keys(data)
        .filter((key) => Object.hasOwn(binaryData, key))
        .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
      ...Object.keys(binaryData).flatMap((key) => configKeyErrors(key, `binaryData[${key}]`)),
      ...sizeErrors(textBytes(data) + decodedBytes(binaryData), "[]"), // kube-apiserver reports the size of the whole map under this path
    ],
    validateUpdate: (map, before) => immutableDataErrors(map, before, ["data", "binaryData"]),
  }),
  kindEntry<Secret>("/Secret", {
    distinguishesEmpty: ["data"],
    default(secret) {
      secret.type ??= "Opaque";
      moveStringData(secret);
    },
    /** The type is immutable. An update without a type keeps it. */
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
      ...immutableDataErrors(secret, before, ["data"]),
    ],
    fields: { type: ({ type }) => type ?? "" },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

/** Moves `stringData` to `data`. It is never returned. */
function moveStringData(secret: Secret): void {
  const { stringData } = secret;
  if (!stringData) return;
  const encoded = Object.entries(stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString("base64")] as const,
  );
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}

const maxBytes = 1024 * 1024;

function sizeErrors(bytes: number, field: string): FieldError[] {
  return bytes > maxBytes ? [tooLong(field, maxBytes)] : [];
}

function textBytes(data: Readonly<Record<string, string>>): number {
  return Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function decodedBytes(data: Readonly<Record<string, string>>): number {
  return Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text, "base64"), 0);
}

interface HasImmutable {
  readonly immutable?: boolean | undefined;
}

/** Returns the errors for changes of data that is declared immutable. */
function immutableDataErrors<T extends HasImmutable & object>(
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
