import { type FieldError, invalid } from "../../schema/index.ts";
import { countErrors } from "./value-errors.ts";

/** A number of Pods, or a share of them in percent: not negative, and no more than all. */
export function amountErrors(
  amount: number | string | undefined,
  field: string,
  cap: "capped" | "uncapped" = "capped",
): FieldError[] {
  if (typeof amount !== "string") return countErrors(amount, field);
  if (!/^[0-9]+%$/.test(amount)) return [invalid(field, amount, noPercent)];
  return cap === "capped" ? moreThanAll(amount, field) : [];
}

export function moreThanAll(amount: number | string | undefined, field: string): FieldError[] {
  if (typeof amount !== "string" || !(Number.parseInt(amount, 10) > 100)) return [];
  return [invalid(field, amount, "must not be greater than 100%")];
}

/** Whether it says no Pod at all. */
export function isNone(amount: number | string | undefined): boolean {
  return amount === 0 || amount === "0%";
}

const noPercent =
  "a valid percent string must be a numeric string followed by an ending '%' " +
  "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
