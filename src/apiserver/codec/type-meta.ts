import { jsonTypeName } from "../../schema/index.ts";

const typeMetaType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Returns Go's decode error of a document's kind and API version, or `undefined`. */
export function typeMetaProblem(typeMeta: unknown): string | undefined {
  const prefix = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (typeof typeMeta !== "object" || typeMeta === null || Array.isArray(typeMeta)) {
    return `${prefix} ${jsonTypeName(typeMeta)} into Go value of type ${typeMetaType}`;
  }
  for (const field of ["apiVersion", "kind"] as const) {
    const value: unknown = Object.hasOwn(typeMeta, field) ? Reflect.get(typeMeta, field) : undefined;
    if (value === undefined || value === null || typeof value === "string") continue;
    return `${prefix} ${jsonTypeName(value)} into Go struct field .${field} of type string`;
  }
  const apiVersion = Reflect.get(typeMeta, "apiVersion") as string | undefined;
  if ((apiVersion ?? "").split("/").length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  return undefined;
}
