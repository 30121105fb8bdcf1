import { knownFormat } from "../formats/formats.ts";
import { type CrdSchema, childrenOf } from "../structure/crd-schema.ts";

/**
 * Returns the formats in a schema that kube-apiserver does not check, each once, in schema order. kube-apiserver warns
 * about each one that an update adds: `unrecognized format "foo"`.
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
