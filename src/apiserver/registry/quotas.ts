import { compareQuantities, type Quantity } from "../../api/index.ts";
import type { LimitRange, LimitRangeItem, ResourceQuota } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "../../schema/index.ts";
import { qualifiedNameFaults } from "../name-rules.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { quotaScopeErrors } from "./quota-scope-errors.ts";

type Amounts = Readonly<Record<string, Quantity>>;

/** What a namespace may use in all, and what one thing in it may. */
export const quotas: readonly KindEntry[] = [
  entry<ResourceQuota>("/ResourceQuota", {
    returnsDeleted: true,
    validate: ({ spec }) => [
      ...Object.entries(spec?.hard ?? {}).flatMap(([name, amount]) =>
        hardErrors(name, amount, `spec.hard[${name}]`),
      ),
      ...quotaScopeErrors(spec ?? {}, standard),
    ],
  }),
  entry<LimitRange>("/LimitRange", {
    createOnUpdate: true,
    default({ spec }) {
      for (const item of spec?.limits ?? []) if (item.type === "Container") defaultLimit(item);
    },
    validate: ({ spec }) => limitErrors(spec?.limits ?? []),
  }),
];

/** A container's limit is the most it may have, its request the limit, or the least. */
function defaultLimit(item: LimitRangeItem): void {
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  if (Object.keys(limit).length > 0) item.default = limit;
  if (Object.keys(request).length > 0) item.defaultRequest = request;
}

/** What is counted without a name of its own. */
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

const whole: ReadonlySet<string> = new Set([
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

function hardErrors(name: string, amount: Quantity, field: string): FieldError[] {
  const faults = qualifiedNameFaults(name).map((fault) => invalid(field, name, fault));
  const known = standard.has(name) || name.includes("/");
  return [
    ...faults,
    ...(known ? [] : [invalid(field, name, "must be a standard resource type or fully qualified")]),
    ...(known ? [] : [invalid(field, name, "must be a standard resource for quota")]),
    ...(compareQuantities(amount, "0") < 0
      ? [invalid(field, amount, "must be greater than or equal to 0")]
      : []),
    ...(whole.has(name) && !/^-?\d+(?:[kMGTPE]i?)?$/.test(amount)
      ? [invalid(field, amount, "must be an integer")]
      : []),
  ];
}

const limitTypes: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

function limitErrors(items: readonly LimitRangeItem[]): FieldError[] {
  const seen = new Set<string>();
  return items.flatMap((item, at) => {
    const field = `spec.limits[${at}]`;
    const type = item.type ?? "";
    const faults = limitTypeErrors(type, `${field}.type`);
    if (faults.length > 0) return faults;
    if (seen.has(type)) return [duplicate(`${field}.type`, type)];
    seen.add(type);
    return [...placeErrors(item, field), ...orderErrors(item, field)];
  });
}

function limitTypeErrors(type: string, field: string): FieldError[] {
  const faults = qualifiedNameFaults(type).map((fault) => invalid(field, type, fault));
  if (faults.length > 0 || limitTypes.has(type) || type.includes("/")) return faults;
  return [invalid(field, type, "must be a standard limit type or fully qualified")];
}

/** Pods have no defaults; claims have a size and nothing else. */
function placeErrors(item: LimitRangeItem, field: string): FieldError[] {
  const defaults = (["default", "defaultRequest"] as const).filter((name) => item[name]);
  const sized = item.max?.storage !== undefined || item.min?.storage !== undefined;
  return [
    ...(item.type === "Pod"
      ? defaults.map((name) => forbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'"))
      : []),
    ...(item.type === "PersistentVolumeClaim" && !sized
      ? [
          required(
            `${field}.limits`,
            "either minimum or maximum storage value is required, but neither was provided",
          ),
        ]
      : []),
  ];
}

/** The least is no more than what is requested, that no more than the limit, and that no more than the most. */
function orderErrors(item: LimitRangeItem, field: string): FieldError[] {
  const names = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;
  const resources = new Set(names.flatMap((name) => Object.keys(item[name] ?? {})));
  return [...resources].sort().flatMap((resource) => resourceOrderErrors(item, resource, field));
}

function resourceOrderErrors(item: LimitRangeItem, resource: string, field: string): FieldError[] {
  const of = (amounts: Amounts | undefined): Quantity | undefined => amounts?.[resource];
  const [max, min, limit, request] = [of(item.max), of(item.min), of(item.default), of(item.defaultRequest)];
  const ratio = of(item.maxLimitRequestRatio);
  const over = (a: Quantity | undefined, b: Quantity | undefined): boolean =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
  const at = (name: string): string => `${field}.${name}[${resource}]`;
  const greater = (what: string, a: Quantity | undefined, b: string): string =>
    `${what} value ${a} is greater than ${b}`;
  return [
    ...(over(min, max) ? [invalid(at("min"), min, greater("min", min, `max value ${max}`))] : []),
    ...(over(min, request)
      ? [invalid(at("defaultRequest"), request, greater("min", min, `default request value ${request}`))]
      : []),
    ...(over(request, max)
      ? [invalid(at("defaultRequest"), request, greater("default request", request, `max value ${max}`))]
      : []),
    ...(over(request, limit)
      ? [
          invalid(
            at("defaultRequest"),
            request,
            greater("default request", request, `default limit value ${limit}`),
          ),
        ]
      : []),
    ...(over(min, limit) ? [invalid(at("default"), min, greater("min", min, `default value ${limit}`))] : []),
    ...(over(limit, max) ? [invalid(at("default"), max, greater("default", limit, `max value ${max}`))] : []),
    ...(ratio !== undefined && compareQuantities(ratio, "1") < 0
      ? [invalid(at("maxLimitRequestRatio"), ratio, `ratio ${ratio} is less than 1`)]
      : []),
  ];
}
