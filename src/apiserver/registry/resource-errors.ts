import { compareQuantities, type Quantity } from "../../api/index.ts";
import type { ResourceRequirements } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";

type Amounts = Readonly<Record<string, Quantity>>;

/** Returns the errors in the requests and limits of a container. */
export function resourceErrors(
  { limits = {}, requests = {} }: ResourceRequirements,
  field: string,
): FieldError[] {
  return [
    ...Object.entries(limits).flatMap(([name, amount]) => amountErrors(name, amount, `${field}.limits`)),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...amountErrors(name, amount, `${field}.requests`),
      ...limitErrors({ name, amount }, limits, `${field}.requests`),
    ]),
  ];
}

const standard: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

function isStandard(name: string): boolean {
  return standard.has(name) || name.startsWith("hugepages-");
}

function amountErrors(name: string, amount: Quantity, list: string): FieldError[] {
  const field = `${list}[${name}]`;
  const isQualified = isStandard(name) || name.includes("/");
  return [
    ...qualifiedNameProblems(name).map((problem) => invalid(field, name, problem)),
    ...(isQualified ? [] : [invalid(field, name, "must be a standard resource type or fully qualified")]),
    ...(isQualified ? [] : [invalid(field, name, "must be a standard resource for containers")]),
    ...(compareQuantities(amount, "0") < 0
      ? [invalid(field, amount, "must be greater than or equal to 0")]
      : []),
    ...(name.includes("/") && !/^-?\d+(?:[kMGTPE]i?)?$/.test(amount)
      ? [invalid(field, amount, "must be an integer")]
      : []),
  ];
}

interface Request {
  readonly name: string;
  readonly amount: Quantity;
}

/**
 * Returns an error if a request exceeds its limit. Requests for resources that cannot be shared must equal the limit.
 */
function limitErrors({ name, amount }: Request, limits: Amounts, field: string): FieldError[] {
  const limit = limits[name];
  const isOvercommittable = isStandard(name) && !name.startsWith("hugepages-");
  if (limit === undefined) {
    return isOvercommittable || !name.includes("/")
      ? []
      : [
          required(
            `${field.replace(/requests$/, "limits")}`,
            "Limit must be set for non overcommitable resources",
          ),
        ];
  }
  if (isOvercommittable && compareQuantities(amount, limit) > 0) {
    return [invalid(field, amount, `must be less than or equal to ${name} limit of ${limit}`)];
  }
  if (!isOvercommittable && compareQuantities(amount, limit) !== 0) {
    return [invalid(field, amount, `must be equal to ${name} limit of ${limit}`)];
  }
  return [];
}
