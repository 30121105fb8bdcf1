import { canonicalQuantity } from "../../api/index.ts";

/** Thrown for a string that is not a quantity. The message is kube-apiserver's. */
export class QuantityError extends Error {
  override readonly name = "QuantityError";
}

/**
 * Returns a quantity in the form that kube-apiserver stores. It differs from `canonicalQuantity` in three ways: white
 * space around a quantity is ignored, a quantity without digits is 0, and an amount of 1000E or more loses its suffix.
 *
 * @throws {QuantityError} if the string is not a quantity
 */
export function storedQuantity(text: string): string {
  if (text.length > maxLength)
    throw new QuantityError(`quantities must have at most ${maxLength} characters`);
  const [quantity, number, suffix] = grammar.exec(text.trim()) ?? [];
  if (!quantity) throw new QuantityError(wrongFormat);
  try {
    return withoutLargeSuffix(canonicalQuantity(/\d/.test(number ?? "") ? quantity : `0${suffix}`));
  } catch (error) {
    throw new QuantityError("unable to parse quantity's suffix", { cause: error });
  }
}

/** A limit of this server: computing with a million digits takes minutes. */
const maxLength = 10_000;

const grammar = /^[+-]?([0-9]*(?:\.[0-9]*)?)((?:[eEinumkKMGTP]+[+-]?[0-9]*|[+-][0-9]*)?)$/;

const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Kubernetes prints the digits of an amount without suffix if no suffix is large enough: 10^21 as `1`. */
function withoutLargeSuffix(quantity: string): string {
  if (!quantity.endsWith("000E")) return quantity;
  let end = quantity.length - 1;
  while (quantity.endsWith("000", end)) end -= 3;
  return quantity.slice(0, end);
}
