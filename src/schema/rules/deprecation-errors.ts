import type { CustomResourceDefinitionVersion } from "../../api/types/apiextensions/v1.ts";
import { type FieldError, invalid } from "../values/field-error.ts";

type Deprecation = Pick<CustomResourceDefinitionVersion, "deprecated" | "deprecationWarning">;

/** Returns the errors in the deprecation warning of a version. `path` is the path of the version. */
export function deprecationErrors(
  { deprecated, deprecationWarning: text }: Deprecation,
  path: string,
): FieldError[] {
  if (text === undefined || text === null) return [];
  const at = `${path}.deprecationWarning`;
  if (!deprecated) return [invalid(at, text, "can only be set for deprecated versions")];
  if (text === "") return [invalid(at, text, "must not be an empty string")];
  const firstControl = text.search(/\p{Cc}/u);
  return [
    ...(Buffer.byteLength(text) > 256 ? [invalid(at, text, "must be <= 256 characters long")] : []),
    ...(firstControl >= 0
      ? [invalid(at, text, `${printable}; non-printable character found at index ${firstControl}`)]
      : []),
  ];
}

const printable = "must only contain printable UTF-8 characters";
