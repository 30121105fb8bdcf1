import type { CrdRule, CrdSchema } from "../structure/crd-schema.ts";
import { FieldPathError, resolveFieldPath } from "../structure/field-path.ts";
import { type FieldError, invalid, notSupported, required } from "../values/field-error.ts";

/** Yields the errors of the validation rules of a schema, except those in their CEL expressions. */
export function* ruleErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  for (const [index, rule] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    yield* textErrors(rule, at);
    yield* reasonErrors(rule, at);
    yield* fieldPathErrors(rule, schema, at);
  }
}

function* textErrors(
  { rule = "", message = "", messageExpression = "" }: CrdRule,
  at: string,
): Iterable<FieldError> {
  if (rule.trim() === "") yield required(`${at}.rule`, "rule is not specified");
  else if (message !== "" && message.trim() === "")
    yield invalid(`${at}.message`, message, "must be non-empty if specified");
  else if (hasLineBreaks(message.trim()))
    yield invalid(`${at}.message`, message, "must not contain line breaks");
  else if (hasLineBreaks(rule.trim()) && message === "")
    yield required(`${at}.message`, "message must be specified if rule contains line breaks");
  if (messageExpression !== "" && messageExpression.trim() === "")
    yield required(`${at}.messageExpression`, "messageExpression must be non-empty if specified");
}

function hasLineBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

function* reasonErrors({ reason }: CrdRule, at: string): Iterable<FieldError> {
  if (reason !== undefined && !reasons.includes(reason)) yield notSupported(`${at}.reason`, reason, reasons);
}

function* fieldPathErrors({ fieldPath = "" }: CrdRule, schema: CrdSchema, at: string): Iterable<FieldError> {
  if (fieldPath === "") return;
  const problem = (detail: string): FieldError => invalid(`${at}.fieldPath`, fieldPath, detail);
  if (fieldPath.trim() === "") yield problem("must be non-empty if specified");
  if (hasLineBreaks(fieldPath)) yield problem("must not contain line breaks");
  if (!isResolvable(fieldPath, schema)) yield problem("must be a valid path");
}

function isResolvable(fieldPath: string, schema: CrdSchema): boolean {
  try {
    resolveFieldPath(fieldPath, schema);
    return true;
  } catch (error) {
    if (error instanceof FieldPathError) return false;
    throw error;
  }
}
