import type { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import type { FieldError } from "../../schema/index.ts";

export function definitionErrors(_crd: CustomResourceDefinition): FieldError[] {
  return [];
}
export function definitionUpdateErrors(_crd: CustomResourceDefinition, _before: CustomResourceDefinition): FieldError[] {
  return [];
}
