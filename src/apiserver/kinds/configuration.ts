import type { ConfigMap, Secret } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, invalid, required, tooLong } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

export const configuration: readonly KindEntry[] = [
  entry<ConfigMap>("/ConfigMap", {
    validate: ({ data = {}, binaryData = {} }) => [
      ...Object.keys(data).flatMap((key) => keyErrors(key, `data[${key}]`)),
      ...Object.keys(data)
        .filter((key) => Object.hasOwn(binaryData, key))
        .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
      ...Object.keys(binaryData).flatMap((key) => keyErrors(key, `binaryData[${key}]`)),
      ...sizeErrors(textBytes(data) + decodedBytes(binaryData), ""),
    ],
    validateUpdate: (map, before) => frozenErrors(map, before, ["data", "binaryData"]),
  }),
  entry<Secret>("/Secret", {
    default(secret) {
      secret.type ??= "Opaque";
      takeStringData(secret);
    },
    /** A type once given stays. Left out, it is the one there was. */
    prepareUpdate(secret, before) {
      if (!secret.type) secret.type = before.type;
    },
    validate: ({ data = {}, type = "" }) => [
      ...Object.keys(data).flatMap((key) => keyErrors(key, `data[${key}]`)),
      ...sizeErrors(decodedBytes(data), "data"),
      ...missingKeys(data, type),
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

const keyPattern = /^[-._a-zA-Z0-9]+$/;

function keyErrors(key: string, field: string): FieldError[] {
  if (key.length > 253) return [invalid(field, key, "must be no more than 253 characters")];
  if (!keyPattern.test(key)) {
    const detail =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
      "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    return [invalid(field, key, detail)];
  }
  if (key === ".") return [invalid(field, key, "must not be '.'")];
  if (key === "..") return [invalid(field, key, "must not be '..'")];
  return key.startsWith("..") ? [invalid(field, key, "must not start with '..'")] : [];
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

/** What a Secret of a well-known type has to hold. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

function missingKeys(data: Readonly<Record<string, string>>, type: string): FieldError[] {
  const needed = neededKeys[type] ?? [];
  return needed.filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`));
}

interface Freezable {
  readonly immutable?: boolean | undefined;
}

/** Data that was declared immutable stays, and so does the declaration. */
function frozenErrors<T extends Freezable>(
  object: T,
  before: T,
  fields: ReadonlyArray<keyof T & string>,
): FieldError[] {
  if (!before.immutable) return [];
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter((field) => !equal(object[field] ?? {}, before[field] ?? {}));
  return [
    ...(object.immutable ? [] : [forbidden("immutable", detail)]),
    ...changed.map((field) => forbidden(field, detail)),
  ];
}
