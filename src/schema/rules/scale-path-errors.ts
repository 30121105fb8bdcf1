import type { CustomResourceSubresourceScale } from "../../api/types/apiextensions/v1.ts";
import { type FieldError, invalid, required } from "../values/field-error.ts";

/** Returns the errors in the paths of a scale subresource. */
export function scalePathErrors(scale: CustomResourceSubresourceScale, path: string): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = "" } = scale;
  return [
    ...pathErrors(specReplicasPath, `${path}.specReplicasPath`, [".spec"]),
    ...pathErrors(statusReplicasPath, `${path}.statusReplicasPath`, [".status"]),
    ...(labelSelectorPath === ""
      ? []
      : pathErrors(labelSelectorPath, `${path}.labelSelectorPath`, [".spec", ".status"])),
  ];
}

/** Returns an error unless `text` begins like a simple JSON path. */
export function simplePathErrors(text: string, path: string): FieldError[] {
  return text.startsWith(".") ? [] : [invalid(path, text, "must be a simple json path starting with .")];
}

function pathErrors(text: string, path: string, roots: readonly string[]): FieldError[] {
  if (text === "") return [required(path)];
  const errors = simplePathErrors(text, path);
  if (errors.length > 0 || roots.some((root) => text.startsWith(`${root}.`))) return errors;
  const either = roots.length > 1 ? "either " : "";
  return [invalid(path, text, `should be a json path under ${either}${roots.join(" or ")}`)];
}
