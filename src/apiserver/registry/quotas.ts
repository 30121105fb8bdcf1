import { compareQuantities, type Quantity } from "../../api/index.ts";
import type { LimitRange, LimitRangeItem, ResourceQuota } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "../../schema/index.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { quotaScopeErrors } from "./quota-scope-errors.ts";

type Amounts = Readonly<Record<string, Quantity>>;

/** ResourceQuota and LimitRange. */
export const quotas: readonly KindEntry[] = [
  kindEntry<ResourceQuota>("/ResourceQuota", {
    returnsDeleted: true,
    validate: ({ spec }) => [
      ...Object.entries(spec?.hard ?? {}).flatMap(([name, amount]) =>
        hardErrors(name, amount, `spec.hard[${name}]`),
      ),
      ...quotaScopeErrors(spec ?? {}, standard),
    ],
  }),
  kindEntry<LimitRange>("/LimitRange", {
    createOnUpdate: true,
    default({ spec }) {
      for (const item of spec?.limits ?? []) if (item.type === "Container") defaultLimit(item);
    },
    validate: ({ spec }) => limitErrors(spec?.limits ?? []),
  }),
];

/** Sets the default limit of a container to the maximum, and its default request to the limit or the minimum. */
function defaultLimit(item: LimitRangeItem): void {
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  if (Object.keys(limit).length > 0) item.default = limit;
  if (Object.keys(request).length > 0) item.defaultRequest = request;
}

const integerResources: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

/** The resources that a quota counts without a qualified name. */
const standard: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "storage",
  "requests.cpu",
  "requests.memory",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  ...integerResources,
]);

function hardErrors(name: string, amount: Quantity, field: string): FieldError[] {
  const errors = qualifiedNameProblems(name).map((problem) => invalid(field, name, problem));
  const known = standard.has(name) || name.includes("/");
  return [
    ...errors,
    ...(known ? [] : [invalid(field, name, "must be a standard resource type or fully qualified")]),
    ...(known ? [] : [invalid(field, name, "must be a standard resource for quota")]),
    ...(compareQuantities(amount, "0") < 0
      ? [invalid(field, amount, "must be greater than or equal to 0")]
      : []),
    ...(integerResources.has(name) && !/^-?\d+(?:[kMGTPE]i?)?$/.test(amount)
      ? [invalid(field, amount, "must be an integer")]
      : []),
  ];
}

const limitTypes: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

function limitErrors(items: readonly LimitRangeItem[]): FieldError[] {
  const seenTypes = new Set<string>();
  return items.flatMap((item, index) => {
    const field = `spec.limits[${index}]`;
    const type = item.type ?? "";
    const errors = limitTypeErrors(type, `${field}.type`);
    if (errors.length > 0) return errors;
    if (seenTypes.has(type)) return [duplicate(`${field}.type`, type)];
    seenTypes.add(type);
    return [...typeErrors(item, field), ...orderErrors(item, field)];
  });
}

function limitTypeErrors(type: string, field: string): FieldError[] {
  const errors = qualifiedNameProblems(type).map((problem) => invalid(field, type, problem));
  if (errors.length > 0 || limitTypes.has(type) || type.includes("/")) return errors;
  return [invalid(field, type, "must be a standard limit type or fully qualified")];
}

/**
 * Returns the errors for fields that a type does not support: Pods have no defaults, and claims need a storage limit.
 */
function typeErrors(item: LimitRangeItem, field: string): FieldError[] {
  const defaults = (["default", "defaultRequest"] as const).filter((name) => item[name]);
  const hasStorage = item.max?.storage !== undefined || item.min?.storage !== undefined;
  return [
    ...(item.type === "Pod"
      ? defaults.map((name) => forbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'"))
      : []),
    ...(item.type === "PersistentVolumeClaim" && !hasStorage
      ? [
          required(
            `${field}.limits`,
            "either minimum or maximum storage value is required, but neither was provided",
          ),
        ]
      : []),
  ];
}

/** Returns the errors unless min, default request, default limit and max are in ascending order. */
function orderErrors(item: LimitRangeItem, field: string): FieldError[] {
  const names = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;
  const resources = new Set(names.flatMap((name) => Object.keys(item[name] ?? {})));
  return [...resources].sort().flatMap((resource) => resourceOrderErrors(item, resource, field));
}

function resourceOrderErrors(item: LimitRangeItem, resource: string, field: string): FieldError[] {
  const amountOf = (amounts: Amounts | undefined): Quantity | undefined => amounts?.[resource];
  const path = (name: string): string => `${field}.${name}[${resource}]`;
  const orders = amountOrders({
    max: amountOf(item.max),
    min: amountOf(item.min),
    limit: amountOf(item.default),
    request: amountOf(item.defaultRequest),
  });
  const ratio = amountOf(item.maxLimitRequestRatio);
  return [
    ...orders
      .filter(({ smaller, larger }) => isGreater(smaller[1], larger[1]))
      .map(({ at: [name, value], smaller, larger }) =>
        invalid(path(name), value, `${smaller.join(" value ")} is greater than ${larger.join(" value ")}`),
      ),
    ...(ratio !== undefined && compareQuantities(ratio, "1") < 0
      ? [invalid(path("maxLimitRequestRatio"), ratio, `ratio ${ratio} is less than 1`)]
      : []),
  ];
}

type NamedAmount = readonly [name: string, amount: Quantity | undefined];

/** The amounts of one resource. */
type DefaultsAndLimits = Readonly<Record<"max" | "min" | "limit" | "request", Quantity | undefined>>;

/** Two amounts of which the first must not be greater, and the field and value that the error names. */
interface AmountOrder {
  readonly smaller: NamedAmount;
  readonly larger: NamedAmount;
  readonly at: NamedAmount;
}

function amountOrders({ max, min, limit, request }: DefaultsAndLimits): AmountOrder[] {
  return [
    { smaller: ["min", min], larger: ["max", max], at: ["min", min] },
    { smaller: ["min", min], larger: ["default request", request], at: ["defaultRequest", request] },
    { smaller: ["default request", request], larger: ["max", max], at: ["defaultRequest", request] },
    {
      smaller: ["default request", request],
      larger: ["default limit", limit],
      at: ["defaultRequest", request],
    },
    { smaller: ["min", min], larger: ["default", limit], at: ["default", min] },
    { smaller: ["default", limit], larger: ["max", max], at: ["default", max] },
  ];
}

function isGreater(a: Quantity | undefined, b: Quantity | undefined): boolean {
  return a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
}
