import { compareQuantities, type Quantity } from "../../api/index.ts";
import type { ResourceRequirements } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { qualifiedNameFaults } from "../name-rules.ts";

type Amounts = Readonly<Record<string, Quantity>>;

/** What is wrong with what a container asks for and may use. */
export function resourceErrors(
  { limits = {}, requests = {} }: ResourceRequirements,
  field: string,
): FieldError[] {
  return [
    ...Object.entries(limits).flatMap(([name, amount]) => amountErrors(name, amount, `${field}.limits`)),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...amountErrors(name, amount, `${field}.requests`),
      ...overLimit({ name, amount }, limits, `${field}.requests`),
    ]),
  ];
}

const standard: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

function isStandard(name: string): boolean {
  return standard.has(name) || name.startsWith("hugepages-");
}

function amountErrors(name: string, amount: Quantity, list: string): FieldError[] {
  const field = `${list}[${name}]`;
  const known = isStandard(name) || name.includes("/");
  return [
    ...qualifiedNameFaults(name).map((fault) => invalid(field, name, fault)),
    ...(known ? [] : [invalid(field, name, "must be a standard resource type or fully qualified")]),
    ...(known ? [] : [invalid(field, name, "must be a standard resource for containers")]),
    ...(compareQuantities(amount, "0") < 0
      ? [invalid(field, amount, "must be greater than or equal to 0")]
      : []),
    ...(name.includes("/") && !/^-?\d+(?:[kMGTPE]i?)?$/.test(amount)
      ? [invalid(field, amount, "must be an integer")]
      : []),
  ];
}

interface Asked {
  readonly name: string;
  readonly amount: Quantity;
}

/** What cannot be shared is asked for exactly; of the rest no more than the limit. */
function overLimit({ name, amount }: Asked, limits: Amounts, field: string): FieldError[] {
  const limit = limits[name];
  const shared = isStandard(name) && !name.startsWith("hugepages-");
  if (limit === undefined) {
    return shared || !name.includes("/")
      ? []
      : [
          required(
            `${field.replace(/requests$/, "limits")}`,
            "Limit must be set for non overcommitable resources",
          ),
        ];
  }
  if (shared && compareQuantities(amount, limit) > 0) {
    return [invalid(field, amount, `must be less than or equal to ${name} limit of ${limit}`)];
  }
  if (!shared && compareQuantities(amount, limit) !== 0) {
    return [invalid(field, amount, `must be equal to ${name} limit of ${limit}`)];
  }
  return [];
}
