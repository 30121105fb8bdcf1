import { apiVersionOf } from "../../api/index.ts";
import { facts } from "../../api/types/facts.ts";
import type { Resource } from "../types/resource.ts";
import { compareVersions } from "./version-order.ts";

/**
 * The served groups, versions and resources in the order of discovery. Equal lists of resources give the same value.
 */
export interface Served {
  readonly resources: readonly Resource[];
  /** The core group first, then the other built-in groups by rank, then custom groups by name. */
  readonly groups: readonly ServedGroup[];
}

export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly ServedVersion[];
}

export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  /** `v1`, `apps/v1` */
  readonly groupVersion: string;
  /** True if the version has custom resources only. Some responses differ for it. */
  readonly custom: boolean;
  readonly resources: readonly Resource[];
}

/**
 * Returns the served groups of `resources`. The value is the same object until a resource is added or removed, so that
 * callers may cache by it in a `WeakMap`.
 */
export function servedBy(resources: readonly Resource[]): Served {
  const [last] = resources.slice(-1);
  if (!last) return { resources, groups: [] };
  const cached = latest.get(last);
  if (cached && sameItems(cached.resources, resources)) return cached;
  const created = { resources: [...resources], groups: groupsOf(resources) };
  latest.set(last, created);
  return created;
}

/** The latest value by the last resource of its list. */
const latest = new WeakMap<Resource, Served>();

export function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function groupsOf(resources: readonly Resource[]): ServedGroup[] {
  const byGroup = groupBy(resources, ({ group }) => group);
  const names = [...byGroup.keys()].sort(
    (one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1),
  );
  return names.map((name) => ({ name, versions: versionsOf(byGroup.get(name) ?? []) }));
}

/** Returns the rank of a built-in group. Other groups come last. */
function rankOf(group: string): number {
  const rank = facts().groups.findIndex(({ name }) => name === group);
  return rank < 0 ? Number.POSITIVE_INFINITY : rank;
}

function versionsOf(resources: readonly Resource[]): ServedVersion[] {
  const byVersion = groupBy(resources, ({ version }) => version);
  const versions = [...byVersion.keys()].sort(compareVersions);
  return versions.map((version) => servedVersion(byVersion.get(version) ?? []));
}

function servedVersion(resources: readonly Resource[]): ServedVersion {
  const { group = "", version = "" } = resources[0] ?? {};
  return {
    group,
    version,
    groupVersion: apiVersionOf({ group, version }),
    custom: resources.every(({ custom }) => custom),
    resources,
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), group);
    group.push(item);
  }
  return groups;
}
