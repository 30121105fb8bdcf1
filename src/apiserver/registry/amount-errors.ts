import { type FieldError, invalid } from "../../schema/index.ts";
import { countErrors } from "./value-errors.ts";

/** Returns the errors in a number or percentage of Pods: it must not be negative, nor over 100% if it is capped. */
export function amountErrors(
  amount: number | string | undefined,
  field: string,
  cap: "capped" | "uncapped" = "capped",
): FieldError[] {
  if (typeof amount !== "string") return countErrors(amount, field);
  if (!/^[0-9]+%$/.test(amount)) return [invalid(field, amount, invalidPercent)];
  return cap === "capped" ? overHundredPercentErrors(amount, field) : [];
}

export function overHundredPercentErrors(amount: number | string | undefined, field: string): FieldError[] {
  if (typeof amount !== "string" || !(Number.parseInt(amount, 10) > 100)) return [];
  return [invalid(field, amount, "must not be greater than 100%")];
}

/** Returns true if the amount is 0 or 0%. */
export function isZeroAmount(amount: number | string | undefined): boolean {
  return amount === 0 || amount === "0%";
}

const invalidPercent =
  "a valid percent string must be a numeric string followed by an ending '%' " +
  "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
