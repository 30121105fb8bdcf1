import { type CrdSchema, childrenOf } from "./crd-schema.ts";
import { knownFormat } from "./formats.ts";

/**
 * The formats in a schema that say nothing about values, each once, in the order they are met. kube-apiserver warns of
 * each that an update did not find there: `unrecognized format "foo"`.
 *
 * Expects a schema without `structuralErrors`.
 */
export function unrecognizedFormats(schema: CrdSchema): string[] {
  return [...new Set(formatsIn(schema))];
}

function formatsIn(schema: CrdSchema): string[] {
  const { format = "", type = "" } = schema;
  const own = format !== "" && knownFormat(format, type) === "" ? [format] : [];
  return [...own, ...childrenOf(schema).flatMap(formatsIn)];
}
